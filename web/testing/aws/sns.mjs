// The verifier of SNS messages that AWS publishes: sns.mjs HOST, messages as a JSON list on standard input. Prints for each whether it is valid.
import { text } from "node:stream/consumers";
import MessageValidator from "sns-validator";

const [host] = process.argv.slice(2);
const validator = new MessageValidator(new RegExp(`^${host.replaceAll(".", "\\.")}$`));

function verdict(message) {
  return new Promise((resolve) => validator.validate(message, (error) => resolve(error ? error.message : "valid")));
}

console.log(JSON.stringify(await Promise.all(JSON.parse(await text(process.stdin)).map(verdict))));
