import { ReleaseVerify } from './release_verify.js'

export const commands = [ReleaseVerify]
