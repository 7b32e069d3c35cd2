"""Commands and the page, on running platforms. A package, so that what its tests share ends with the last of them."""
