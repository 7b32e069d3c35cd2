"""Reading text on frames: OCR, lines, engines."""
