"""Routes of notification preferences, and of the addresses that notifications go to."""
