import { ReleaseRedButton } from './commands/release_red_button.js'

/** The console commands of the module. */
export const commands = [ReleaseRedButton]
