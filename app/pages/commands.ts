import { UserLink } from './session/commands/user_link.js'

/** The console commands of the module. */
export const commands = [UserLink]
