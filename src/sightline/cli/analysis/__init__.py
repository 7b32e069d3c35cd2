"""Commands about techniques: analyzers, what a model will cost, and learning from corrections."""
