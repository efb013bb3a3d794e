import { makeTrain } from '#releases/tests/helpers/release_world'
import type { Api } from '#tests/support/api'
import type { World } from '#tests/support/world'

/** A release that does not go on, and what an agent asks for all the same. */
export interface Blocked {
  world: Pick<World, 'organizationId'>
  asker: Api
  tool: string
  args: Record<string, unknown>
}

export interface Case {
  what: string
  block(): Promise<Blocked>
  /** The code of the refusal; null where the agent asks why the release does not move. */
  code: string | null
  /** Its detail holds what others wrote, which speaks of something to do. */
  isPlanted?: true
  missing: RegExp
  who: RegExp
}

export const V = '1.0.0'

/** A step of every kind that people decide on. */
const STEPS = [
  { type: 'kickoff' },
  { type: 'regressionTesting' },
  { type: 'metadata' },
  { type: 'approvals' },
  { type: 'submission' },
] as const

/** Release 1.0.0 of an app without a store, and what names it. */
export async function drafted() {
  const train = await makeTrain([V], { steps: [...STEPS] })
  const { admin, app, path, world } = train
  const its = { appId: app, releaseId: `${app}:${V}` }
  const blocked = (tool: string, action: string, more: object = {}, asker: Api = admin) => ({
    world,
    asker,
    tool,
    args: { action, ...its, ...more },
  })
  return { ...train, its, at: path(V), blocked }
}

export type Drafted = Awaited<ReturnType<typeof drafted>>

/** The same, kicked off. */
export async function kickedOff(): Promise<Drafted> {
  const train = await drafted()
  await train.admin.put(`${train.at}/kickoff`)
  return train
}

export const runOf = async ({ step }: Drafted, type: 'metadata' | 'approvals' | 'submission') => {
  const { stepRunId } = await step(V, type)
  return stepRunId as string
}
