import { ReleaseVerify } from './commands/release_verify.js'
import { ReleaseEvidence } from './commands/release_evidence.js'

/** The console commands of the module. */
export const commands = [ReleaseVerify, ReleaseEvidence]
