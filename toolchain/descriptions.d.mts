import type ts from "typescript";
import type { Descriptions } from "../provider/descriptions";

export function describe(program: ts.Program, entry: string): Descriptions;
