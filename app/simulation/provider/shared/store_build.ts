import type { StoreBuild } from '#plugin-kit/capabilities/stores'
import type { PluginContext } from '#plugin-kit/context'
import { observed, type Seen } from './world_pages.js'

/** A build in answers of a store of a world. */
export interface WorldBuild {
  id: string
  number: string
  version: string
  uploadedAt: string
  state: string
  /** State with testers, if the store reports it. */
  externalBuildState?: string
}

const STATES = {
  PROCESSING: 'processing',
  VALID: 'ready',
  INVALID: 'invalid',
  FAILED: 'invalid',
  EXPIRED: 'expired',
} as const

export function buildOf(ctx: PluginContext, build: WorldBuild, seen: Seen): StoreBuild {
  const { id, number, version, uploadedAt, state } = build
  return { id, number, version, uploadedAt, status: observed(ctx, STATES, state, seen) }
}
