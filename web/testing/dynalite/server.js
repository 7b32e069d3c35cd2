// DynamoDB of an emulator that shares no code with the others, on loopback at the port that is given.
import dynalite from "dynalite";

dynalite({ createTableMs: 0, updateTableMs: 0, deleteTableMs: 0 }).listen(Number(process.argv[2]), "127.0.0.1");
