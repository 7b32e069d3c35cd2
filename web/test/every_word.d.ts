declare module "every-word";
