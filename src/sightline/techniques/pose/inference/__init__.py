"""What runs in the confined process: the model of poses and the classifier of pairs."""
