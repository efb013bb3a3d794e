import type { ApiKeyEntity } from '#organizations/entities'
import { later, type Instant } from '#foundation/core/clock'
import { addresses, addressOf } from '../addresses.js'
import { actionsView, choicesView, fieldView } from '../components/field.view.js'
import { questionView } from '../components/question.view.js'
import { FormState } from '../frame/fields.js'
import type { PageCall, PageView } from '../frame/page.js'
import { platformName } from '../words/names.js'
import { inSentence } from '../words/times.js'
import type { MadeKey, NewKeyAnswers } from './answers.js'
import { mayText, usedText } from './list.view.js'

type Call = Pick<PageCall, 'reader' | 'refused' | 'params'>

const DAY_MS = 24 * 3600 * 1000

/** The value of the choice for a key that never ends. */
export const NEVER = 'never'

/** Returns the beginning of the day in some days, so that the choices stay the same all day. */
const dayIn = (now: Instant, days: number): Instant =>
  `${later(now, days * DAY_MS).slice(0, 10)}T00:00:00.000Z`

/** Returns the ends to choose from. A year is the default of the service. */
const endsFrom = (now: Instant) => [
  { value: dayIn(now, 30), label: 'In 30 days' },
  { value: dayIn(now, 90), label: 'In 90 days' },
  { value: '', label: 'In a year', isOn: true },
  { value: NEVER, label: 'Never' },
]

/** Returns the view of the form that creates a key. */
export function newKeyView({ groups, apps }: NewKeyAnswers, { reader, refused, params }: Call) {
  const action = addressOf(addresses.keys, params)
  const state = new FormState(refused, action)
  return {
    title: 'Create a key',
    place: 'keys',
    pollSeconds: null,
    isSecret: true,
    action,
    cancel: action,
    name: fieldView(state, {
      id: 'name',
      label: 'Name',
      hint: 'What it is for, such as “Release CI”.',
    }),
    groups: choicesView(state, {
      id: 'groupIds',
      label: 'Has the rights of these groups',
      hint: 'If none is chosen, it can only read.',
      options: groups.map(({ id, name, userActions }) => ({
        value: id,
        label: name,
        more: actionsView(userActions),
      })),
    }),
    admin: choicesView(state, {
      id: 'admin',
      label: 'Or everything',
      options: [
        {
          value: 'true',
          label: 'Admin key',
          hint: 'May do everything in the organization, for all apps.',
        },
      ],
    }),
    apps: choicesView(state, {
      id: 'appIds',
      label: 'Only for these apps',
      hint: 'If none is chosen, it sees all apps, including new ones.',
      options: apps.map(({ id, name, platform }) => ({
        value: id,
        label: name,
        hint: platformName(platform),
      })),
    }),
    ends: choicesView(state, { id: 'expiresAt', label: 'Ends', options: endsFrom(reader.now) }),
  } satisfies PageView & Record<string, unknown>
}

/** Hours for which the previous key can keep working. */
const OVERLAPS = [
  ['0', 'It ends at once'],
  ['1', 'For an hour'],
  ['24', 'For a day'],
  ['168', 'For a week'],
  ['720', 'For 30 days'],
] as const

/** Returns the view of the form that rotates a key. */
export function rotateKeyView(key: ApiKeyEntity, { reader, refused, params }: Call) {
  const action = addressOf(addresses.rotateKey, params)
  const state = new FormState(refused, action)
  return {
    title: `Rotate ${key.name}`,
    place: 'keys',
    pollSeconds: null,
    isSecret: true,
    action,
    cancel: addressOf(addresses.keys, params),
    heading: `Rotate ${key.name}`,
    lines: [
      `A new key takes its place, with the same rights (${mayText(key)}). It is shown once.`,
      `This one was ${usedText(key, reader).replace(/^used/, 'last used')}.`,
    ],
    overlap: choicesView(state, {
      id: 'overlapHours',
      label: 'This key keeps working',
      hint: 'Time to replace this key wherever it is used.',
      options: OVERLAPS.map(([value, label]) => ({ value, label, isOn: value === '24' })),
    }),
    ends: choicesView(state, {
      id: 'expiresAt',
      label: 'The new key ends',
      options: endsFrom(reader.now),
    }),
  } satisfies PageView & Record<string, unknown>
}

/** Returns the view of the confirmation before a key is revoked. */
export const revokeKeyView = (key: ApiKeyEntity, { reader, params }: Call) =>
  questionView('keys', {
    title: `Revoke ${key.name}`,
    lines: [
      `It begins with ${key.prefix} and was ${usedText(key, reader).replace(/^used/, 'last used')}.`,
      'Programs that use it are refused at once. A revoked key never works again.',
    ],
    action: addressOf(addresses.revokeKey, params),
    verb: 'Revoke',
    cancel: addressOf(addresses.keys, params),
  })

/** Returns the view of a new key, which is shown only once. */
export function madeKeyView(
  { made, baseUrl }: { made: MadeKey; baseUrl: string },
  { reader, params }: Call
) {
  return {
    title: `Created: ${made.name}`,
    place: 'keys',
    pollSeconds: null,
    isSecret: true,
    heading: `Created: ${made.name}`,
    key: made.key,
    may: mayText(made),
    ends:
      made.expiresAt === null ? 'It never ends.' : `It ends ${inSentence(made.expiresAt, reader)}.`,
    former: made.previousExpiresAt
      ? `The former key works until ${inSentence(made.previousExpiresAt, reader)}.`
      : null,
    call: `curl -H 'X-API-Key: ${made.key}' ${baseUrl}/org/${params.orgId}`,
    back: addressOf(addresses.keys, params),
  } satisfies PageView & Record<string, unknown>
}
