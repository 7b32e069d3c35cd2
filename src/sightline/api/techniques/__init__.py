"""Routes of techniques: what analyses found, what people mark, correct and publish, summaries and reels."""
