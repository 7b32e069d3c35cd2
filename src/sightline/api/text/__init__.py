"""Routes of text on screen: segments, search, and the languages it is read in."""
