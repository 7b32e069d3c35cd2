import { defineWords } from "../../core/language";

export const useConnectWords = defineWords("connect", {
  en: {
    title: "Connect with an AWS SDK",
    intro:
      "Clients written with boto3 or another AWS SDK work unchanged. They need the endpoint URL, the region and an access key.",
    endpoint: "Endpoint URL",
    region: "Region",
    key: "Access key",
    newKey: "New access key",
    keyText: "An API key with the scope bus:use. It is shown once. On the server, this command prints one:",
    testKey: "There is no sign-in here, so the access key test with the secret test also works on this machine.",
    command: "Command",
    environment: "Set the key",
    example: "Example in Python",
    install: "Needs boto3:",
    onAws: "The bus runs on AWS",
    onAwsText:
      "Connect to SNS, SQS and EventBridge of your AWS account. Queues and topics listed here are the platform's own.",
  },
  pt: {
    title: "Conectar com um SDK da AWS",
    intro:
      "Clientes escritos com boto3 ou outro SDK da AWS funcionam sem mudanças. Precisam da URL do endpoint, da região e de uma chave de acesso.",
    endpoint: "URL do endpoint",
    region: "Região",
    key: "Chave de acesso",
    newKey: "Nova chave de acesso",
    keyText: "Uma chave de API com o escopo bus:use. Ela é mostrada uma vez. No servidor, este comando cria uma:",
    testKey:
      "Aqui ninguém precisa entrar, então a chave de acesso test com o segredo test também funciona nesta máquina.",
    command: "Comando",
    environment: "Defina a chave",
    example: "Exemplo em Python",
    install: "Requer boto3:",
    onAws: "O barramento roda na AWS",
    onAwsText:
      "Conecte-se ao SNS, SQS e EventBridge da sua conta da AWS. As filas e os tópicos listados aqui são os da plataforma.",
  },
});
