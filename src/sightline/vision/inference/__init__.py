"""What runs in the confined process: a model file, its input, its outputs, and the rules that make objects of them."""
