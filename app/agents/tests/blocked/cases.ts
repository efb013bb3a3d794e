import type { Case } from './case.js'
import { IN_RELEASES } from './releases.js'
import { IN_STORES } from './stores.js'

/** Releases that do not move, for every kind of reason. */
export const CASES: readonly Case[] = [...IN_RELEASES, ...IN_STORES]
