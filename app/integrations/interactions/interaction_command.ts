import { createHash } from 'node:crypto'
import app from '@adonisjs/core/services/app'
import logger from '@adonisjs/core/services/logger'
import { Type, type Static } from '@sinclair/typebox'
import { RETRIES } from '#foundation/jobs/retry'
import { onCommand, type CommandContext } from '#foundation/jobs/handlers'
import { inputOf } from '#foundation/api/execution/input_of'
import type { Rendered } from '#foundation/api/execution/render'
import { operations } from '#foundation/api/operation/registry'
import { commandKind } from '#foundation/core/jobs/kinds'
import { MINUTE } from '#foundation/core/durations'
import type { Principal } from '#foundation/core/principal'
import { Problem } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { findPerson, type Person } from '#organizations/queries/find_person'
import { permissionsOfPerson } from '#organizations/queries/permissions_of_person'
import type { Interaction, InteractionMember } from '#plugin-kit/plugin'
import { isProviderError } from '#plugin-kit/provider_error'
import { interactionsOf } from '../plugins/interactive_parts.js'
import { openConnection } from '../connections/open_connection.js'
import { isPassing, mendable, outcomeOfCall } from '../outcome_of_call.js'
import { findConnection, pluginOfConnection } from '../queries/find_connection.js'
import { openButton, type ButtonRequest } from './buttons.js'

/** The command that handles a button press; its subject is the connection. */
const interactionKind = commandKind(
  'integration.interaction',
  Type.Object({
    deliveryId: Type.String(),
    occurredAt: Type.String(),
    memberId: Type.String(),
    action: Type.String(),
    value: Type.String(),
    replyTo: Type.Record(Type.String(), Type.Unknown()),
  }),
  'the provider of the connection'
)
type Pressed = Static<(typeof interactionKind)['payload']>

/** Schedules a press for immediate handling; idempotent by the delivery id. */
export async function requestInteraction(
  scope: Scope,
  connectionId: string,
  { deliveryId, occurredAt, memberId, action, value, replyTo }: Interaction
): Promise<void> {
  await scope.jobs.command(interactionKind, {
    subject: connectionId,
    idempotencyKey: keyOf(connectionId, deliveryId),
    // Only operations that stop something take precedence over other jobs.
    isUrgent: operations.all().some(({ id, isUrgent }) => id === action && isUrgent === true),
    payload: { deliveryId, occurredAt, memberId, action, value, replyTo },
  })
}

const keyOf = (connectionId: string, deliveryId: string) =>
  createHash('sha256').update(`${connectionId} ${deliveryId}`).digest('base64url')

/** Replies to people who are not members, by what they are instead. */
const REFUSALS: Readonly<Record<Exclude<InteractionMember['kind'], 'member'>, string>> = {
  guest: 'Guests cannot do this here. Ask a member of the workspace.',
  bot: 'Bots cannot do this here.',
  stranger: 'Members of other workspaces cannot do this here.',
}
const UNVERIFIED =
  'You have no verified e-mail address here, so it is not known what you may do. Verify one, and press again.'
const UNKNOWN =
  'Nobody with your e-mail address is in the organization. Ask someone who may invite people, and press again.'
const STALE = 'This button no longer works. Look at the newest message.'

const CHANGED =
  'This has changed since the message was posted, so nothing was done. Look at the newest message.'

const LATE = 'It took too long to reach the service, so nothing was done. Press again.'

/** The reply to a press that an earlier attempt may have carried out. */
const UNCERTAIN = 'This took too long. Look at the newest message: if it was not done, press again.'

/** The reply to a press that is given up; the reason follows. */
const FAILED =
  'This failed, and is not tried again. Look at the newest message: if it was not done, press again, or use the page. The reason:'

/** Returns whether the provider would refuse a retry as well. */
const isPermanent = ({ extras: { cause } }: Problem) =>
  isProviderError(cause) && cause.detail.outcome === 'notApplied' && !isPassing(cause.code)

/**
 * Age in milliseconds from which a press has no effect, because nobody expects one any more. Urgent
 * operations, such as a stop, are carried out at any age.
 */
const MAX_AGE = 10 * MINUTE

const INTERNAL = 'An error inside the service, which its log describes.'

/**
 * Runs the operation of a button with the permissions of the person who pressed it. Refusals and
 * warnings are shown only to that person.
 */
export const carryOutInteraction = onCommand(interactionKind, {
  actor: 'integrations',
  lease: 2 * MINUTE,
  retry: RETRIES.press,
  // The operation is idempotent by the delivery id.
  isRepeatable: true,
  async call({ subject, payload, attempt }, context) {
    const outcome = await outcomeOfCall(async () => {
      const secrets = await app.container.make('integrations.secrets')
      const provider = await interactionsIn(context, subject)
      return runPress(context, subject, payload, {
        request: openButton(secrets, subject, payload),
        member: () => provider.member(payload.memberId),
        isRetry: attempt > 1,
      })
    }).catch((error: unknown) => {
      // The person reads the reason, which must not tell what is inside the service.
      logger.error({ err: error, connection: subject }, 'a press could not be carried out')
      return { outcome: 'unknown', reason: INTERNAL } as const
    })
    // Even a refusal is retried: the service may not be ready, or the provider may be unavailable.
    return mendable(outcome)
  },
  async storeResult(scope, press, reply: string | null) {
    if (reply !== null) await planReply(scope, press, reply)
  },
  afterLast: (scope, press, reason) => planReply(scope, press, `${FAILED} ${reason}`),
})

/** The command that tells a person what became of a press; its subject is the connection. */
const replyKind = commandKind(
  'integration.interactionReply',
  Type.Object({ replyTo: Type.Record(Type.String(), Type.Unknown()), text: Type.String() }),
  'the provider of the connection'
)

async function planReply(
  scope: Scope,
  { id, subject, payload: { replyTo } }: { id: string; subject: string; payload: Pressed },
  text: string
): Promise<void> {
  await scope.jobs.command(replyKind, {
    subject,
    idempotencyKey: `reply to ${id}`,
    payload: { replyTo, text },
  })
}

/** Replies to the person who pressed. Repeated on its own, so that the press is not. */
export const replyToInteraction = onCommand(replyKind, {
  actor: 'integrations',
  lease: 2 * MINUTE,
  // Slack's address is valid for half an hour after the press.
  retry: RETRIES.minutes,
  // A person who reads the same text twice is not misled.
  isRepeatable: true,
  async call({ subject, payload: { replyTo, text } }, context) {
    return mendable(
      await outcomeOfCall(async () => (await interactionsIn(context, subject)).reply(replyTo, text))
    )
  },
  storeResult: async () => {},
})

/** Returns the interactive part of a connection. */
async function interactionsIn({ scope, signal }: CommandContext, connectionId: string) {
  const secrets = await app.container.make('integrations.secrets')
  const caller = await app.container.make('integrations.caller')
  const connection = await findConnection(scope, connectionId)
  const opened = await openConnection(scope, secrets, connection)
  return interactionsOf(caller, pluginOfConnection(connection), opened, signal)
}

/** @returns the reason for a refusal, or the warnings of the response; null for neither */
async function runPress(
  { scope }: CommandContext,
  connectionId: string,
  { deliveryId, occurredAt }: Pressed,
  {
    request,
    member,
    isRetry,
  }: {
    request: ButtonRequest | null
    member: () => Promise<InteractionMember>
    isRetry: boolean
  }
): Promise<string | null> {
  if (request === null || request.until <= scope.now) return STALE
  const operation = operations.get(request.operation)
  const isLate = Date.parse(occurredAt) < Date.parse(scope.now) - MAX_AGE
  if (isLate && !operation.isUrgent) return isRetry ? UNCERTAIN : LATE
  const { kind, verifiedEmail } = await member()
  if (kind !== 'member') return REFUSALS[kind] ?? REFUSALS.stranger
  if (verifiedEmail === null) return UNVERIFIED
  const person = await findPerson(scope, verifiedEmail.trim().toLowerCase())
  if (!person) return UNKNOWN
  const { params, body } = request
  const { requireIfMatch } = scope.organization
  const principal = await principalOf(scope, person)
  const executor = await app.container.make('executor')
  try {
    const response = await executor.execute(operation, principal, {
      params,
      ifMatch: request.ifMatch ?? (requireIfMatch ? '*' : undefined),
      origin: { baseUrl: app.config.get<string>('app.serviceUrl') },
      input: () => inputOf(operation, { params, body, strict: 'whole' }),
      idempotencyKey: keyOf(connectionId, deliveryId),
    })
    return warningsIn(response)
  } catch (error) {
    if (error instanceof Problem && error.code === 'precondition_failed') return CHANGED
    if (!(error instanceof Problem) || (error.status >= 500 && !isPermanent(error))) throw error
    return error.message
  }
}

/** Returns the text of a response's warnings; null for none. */
function warningsIn({ bytes }: Rendered): string | null {
  // A replayed response has bytes, but no body.
  const { warnings = [] } = JSON.parse(String(bytes) || '{}') as {
    warnings?: readonly { message: string }[]
  }
  return warnings.length > 0
    ? ['It is done. Please note:', ...warnings.map(({ message }) => message)].join('\n')
    : null
}

/** Returns the principal of a person, with the same permissions as on the pages. */
async function principalOf(scope: Scope, person: Person): Promise<Principal> {
  const { id, name, email } = person
  return {
    organization: scope.organization,
    actor: { type: 'user', id, name: name ?? email },
    permissions: await permissionsOfPerson(scope, person),
  }
}
