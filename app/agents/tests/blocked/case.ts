import { makeTrain } from '#releases/tests/helpers/release_world'
import type { Api } from '#tests/support/api'
import type { World } from '#tests/support/world'

/** A release that does not move, and what an agent requests anyway. */
export interface Blocked {
  world: Pick<World, 'organizationId'>
  asker: Api
  tool: string
  args: Record<string, unknown>
}

export interface Case {
  what: string
  block(): Promise<Blocked>
  /** The code of the refusal. Null when the agent asks why the release does not move. */
  code: string | null
  /** The detail contains text of others that suggests an action. */
  isPlanted?: true
  missing: RegExp
  who: RegExp
}

export const V = '1.0.0'

/** One step of every kind that people decide on. */
const STEPS = [
  { type: 'kickoff' },
  { type: 'regressionTesting' },
  { type: 'metadata' },
  { type: 'approvals' },
  { type: 'submission' },
] as const

/** Creates release 1.0.0 of an app without a store, with its ids. */
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

/** Creates the same release, kicked off. */
export async function kickedOff(): Promise<Drafted> {
  const train = await drafted()
  await train.admin.put(`${train.at}/kickoff`)
  return train
}

export const runOf = async ({ step }: Drafted, type: 'metadata' | 'approvals' | 'submission') => {
  const { stepRunId } = await step(V, type)
  return stepRunId as string
}
