import { Mcp } from './commands/mcp.js'

/** The console commands of the module. */
export const commands = [Mcp]
