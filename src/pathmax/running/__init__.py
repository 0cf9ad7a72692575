"""Ask, evaluate and tell in a loop, on workers."""
