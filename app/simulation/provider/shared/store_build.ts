import type { StoreBuild } from '#plugin-kit/capabilities/stores'
import type { PluginContext } from '#plugin-kit/context'
import { observed } from './world_pages.js'

/** A build as a store of a world tells it. */
export interface WorldBuild {
  id: string
  number: string
  version: string
  uploadedAt: string
  state: string
<<<<<<< HEAD
  /** How far its testers are, in the words of its store. */
  betaState: string | null
=======
  /** How far it is with testers, where the store tells. */
  externalBuildState?: string
>>>>>>> main
}

const STATES = {
  PROCESSING: 'processing',
  VALID: 'ready',
  INVALID: 'invalid',
  FAILED: 'invalid',
  EXPIRED: 'expired',
} as const

export function buildOf(ctx: PluginContext, build: WorldBuild): StoreBuild {
  const { id, number, version, uploadedAt, state } = build
  return { id, number, version, uploadedAt, status: observed(ctx, STATES, state) }
}

type Testing = 'none' | 'inReview' | 'testing' | 'rejected'

/** A build in beta: the same, and how far its testers are. */
export function betaBuildOf(
  ctx: PluginContext,
  states: Readonly<Record<string, Testing>>,
  build: WorldBuild
): StoreBuild {
  const { betaState } = build
  const testing = betaState === null ? {} : { testing: observed(ctx, states, betaState) }
  return { ...buildOf(ctx, build), ...testing }
}
