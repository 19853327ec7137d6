"""The best coupling's scale: floats propose a plan and multipliers, exact numbers prove both."""
