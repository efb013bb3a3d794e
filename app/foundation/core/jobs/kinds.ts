import type { Static, TSchema } from '@sinclair/typebox'

/**
 * The natures of jobs. A *timer* acts at a time, in one transaction. A *command* is a call
 * to a provider, outside of any transaction. An *observation* is a recurring poll. A *chore* is
 * maintenance of the service. *Urgent* is a command with capacity of its own, so that it runs even
 * if all other calls to providers hang.
 */
export const NATURES = ['urgent', 'timer', 'command', 'observation', 'chore'] as const
export type Nature = (typeof NATURES)[number]

/** A kind of job that modules can plan. A manifest lists its handler. */
export interface WorkKind<Is extends Nature = Nature, Payload extends TSchema = TSchema> {
  readonly nature: Is
  /** Unique in the service: `release.nextEvaluation`. */
  readonly name: string
  readonly payload: Payload
  /** For a command: the provider it calls, as a kind of integration or in words; null for none. */
  readonly asks?: string | null
}

export type PayloadOf<Kind extends WorkKind> = Static<Kind['payload']>

const kindOf =
  <Is extends Nature>(nature: Is) =>
  <Payload extends TSchema>(name: string, payload: Payload): WorkKind<Is, Payload> => ({
    nature,
    name,
    payload,
  })

/** Something to be done at a time; one per subject. */
export const timerKind = kindOf('timer')
/** Returns a call to a provider. @param asks the provider (`WorkKind.asks`) */
export const commandKind = <Payload extends TSchema>(
  name: string,
  payload: Payload,
  asks: string | null
): WorkKind<'command', Payload> => ({ ...kindOf('command')(name, payload), asks })
/** Something to be looked at regularly; one per subject. */
export const observationKind = kindOf('observation')
