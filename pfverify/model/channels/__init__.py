"""Finite channels as exact data; every kind is registered whichever module is imported first."""

from pfverify.model.channels import kinds as kinds
