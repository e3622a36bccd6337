import { playHalf } from "./histories";

playHalf("even");
