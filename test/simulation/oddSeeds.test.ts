import { playHalf } from "./histories";

playHalf("odd");
