"""The privacy maps of measurements, held to the truth of what they serialize to."""
