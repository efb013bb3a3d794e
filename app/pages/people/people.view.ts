import type { GroupEntity, UserEntity } from '#organizations/entities'
import { userStatuses, type UserStatus } from '#organizations/vocabulary'
import { addresses, addressOf } from '../addresses.js'
import { actionsView, choicesView, fieldView } from '../components/field.view.js'
import { questionView } from '../components/question.view.js'
import { FormState } from '../frame/fields.js'
import type { PageCall, PageView, Reader } from '../frame/page.js'
import { seenTag } from '../frame/seen_tag.js'
import { initialsOf } from '../frame/places.js'
import { counted } from '../words/numbers.js'
import { relativeText, inSentence } from '../words/times.js'
import { changedMeanwhile } from '../release/changed.js'
import type { PeopleAnswers, PersonAnswers, SignIns } from './answers.js'
import { sectionsOf } from './sections.js'

type Call = Pick<PageCall, 'reader' | 'refused' | 'params' | 'query'>

const STATUS_WORDS: Readonly<Record<UserStatus, string>> = {
  active: 'Active',
  invited: 'Invited, not signed in yet',
  deactivated: 'Deactivated',
}

const TABS: readonly [status: UserStatus | null, name: string][] = [
  [null, 'All'],
  ['active', 'Active'],
  ['invited', 'Invited'],
  ['deactivated', 'Deactivated'],
]

/** Returns the status to filter by in a query; undefined for everybody. */
export const statusIn = (query: PageCall['query']): UserStatus | undefined =>
  userStatuses.find((status) => status === query.status)

/** Returns the view of the people of an organization. */
export function peopleView({ data, pagination }: PeopleAnswers, { reader, query, params }: Call) {
  const here = addressOf(addresses.people, params)
  const chosen = statusIn(query) ?? null
  const more = pagination.nextCursor
  const filter: Record<string, string> = chosen ? { status: chosen } : {}
  return {
    title: 'People',
    place: 'people',
    pollSeconds: null,
    sections: sectionsOf(params.orgId, 'people'),
    newHref: reader.may('createUser') ? addressOf(addresses.newPerson, params) : null,
    tabs: TABS.map(([status, name]) => ({
      name,
      href: status ? `${here}?status=${status}` : here,
      isChosen: status === chosen,
    })),
    rows: data.map((user) => ({
      initials: initialsOf(user.name ?? user.email),
      name: nameOf(user),
      /** Null if it is shown as the name. */
      email: user.name === null ? null : user.email,
      groups: user.groups.length > 0 ? user.groups.map(({ name }) => name).join(', ') : 'No group',
      isAdmin: user.admin,
      status: user.status === 'active' ? null : STATUS_WORDS[user.status],
      href: addressOf(addresses.person, { ...params, userId: user.id }),
    })),
    more: more ? `${here}?${new URLSearchParams({ ...filter, cursor: more })}` : null,
  } satisfies PageView & Record<string, unknown>
}

export const nameOf = ({ name, email }: Pick<UserEntity, 'name' | 'email'>) => name ?? email

/** Returns the view of the form that adds a person. */
export function newPersonView(groups: readonly GroupEntity[], { refused, reader, params }: Call) {
  const action = addressOf(addresses.people, params)
  const state = new FormState(refused, action)
  return {
    title: 'Add a person',
    place: 'people',
    pollSeconds: null,
    isSecret: true,
    action,
    cancel: action,
    email: fieldView(state, {
      id: 'email',
      label: 'E-mail',
      hint: 'It cannot be changed later.',
      type: 'email',
    }),
    ...fieldsOf(state, { name: null, admin: false, groups: [] }, groups, reader),
  } satisfies PageView & Record<string, unknown>
}

/** Returns the view of one person, with the form to change them. */
export function personView(
  { user, tag, groups, signIns }: PersonAnswers,
  { reader, refused, params }: Call
) {
  const action = addressOf(addresses.person, params)
  const state = new FormState(refused, action)
  const isActive = user.status !== 'deactivated'
  const isAdmin = reader.may('deactivateUser')
  return {
    title: nameOf(user),
    place: 'people',
    pollSeconds: null,
    isSecret: isAdmin && isActive,
    ...changedMeanwhile(refused, reader),
    action,
    tag: seenTag(tag, action, refused),
    heading: nameOf(user),
    email: user.name === null ? null : user.email,
    initials: initialsOf(nameOf(user)),
    status: STATUS_WORDS[user.status],
    added: `Added ${inSentence(user.createdAt, reader)}`,
    back: addressOf(addresses.people, params),
    form: isActive ? fieldsOf(state, user, groups, reader) : null,
    link: isAdmin && isActive ? { action: addressOf(addresses.signInLink, params) } : null,
    signIns:
      signIns && isAdmin
        ? {
            text: signInsText(signIns, reader),
            rows: signIns.signIns.map(({ client, seenAt }) => ({
              client: client || 'A browser without a name',
              seen: `last seen ${relativeText(seenAt, reader.now) ?? inSentence(seenAt, reader)}`,
            })),
            endAction:
              signIns.signIns.length > 0 ? addressOf(addresses.signPersonOut, params) : null,
          }
        : null,
    deactivateHref: isAdmin && isActive ? addressOf(addresses.deactivatePerson, params) : null,
    activateAction: isAdmin && !isActive ? addressOf(addresses.activatePerson, params) : null,
  } satisfies PageView & Record<string, unknown>
}

function signInsText({ belongsElsewhere, signIns }: SignIns, { now }: Reader): string {
  if (belongsElsewhere) {
    return 'They belong to another organization, too, so only they can see where they are signed in.'
  }
  const [last] = signIns
  if (!last) return 'Not signed in anywhere.'
  const seen = relativeText(last.seenAt, now)
  return `Signed in with ${counted(signIns.length, 'browser')}${seen ? `, last seen ${seen}` : ''}.`
}

/** Returns the fields of a person. Only admins may change default groups and admin rights. */
function fieldsOf(
  state: FormState,
  user: Pick<UserEntity, 'name' | 'admin' | 'groups'>,
  groups: readonly GroupEntity[],
  reader: Reader
) {
  const own = new Set(user.groups.map(({ id }) => id))
  const isAdmin = reader.may('createUser')
  return {
    name: fieldView(state, { id: 'name', label: 'Name (optional)', stored: user.name ?? '' }),
    groups: choicesView(state, {
      id: 'groupIds',
      label: 'Groups',
      hint: isAdmin
        ? 'They have the rights of all of these groups.'
        : 'Only an admin changes who is in a default group.',
      options: groups.map(({ id, name, isDefault, userActions }) => ({
        value: id,
        label: name,
        more: actionsView(userActions),
        isOn: own.has(id),
        isFixed: isDefault && !isAdmin,
      })),
    }),
    admin: isAdmin
      ? choicesView(state, {
          id: 'admin',
          label: 'Or everything',
          options: [
            {
              value: 'true',
              label: 'Admin',
              hint: 'May do everything in the organization, keys and people included.',
              isOn: user.admin,
            },
          ],
        })
      : null,
  }
}

/** Returns the view of the confirmation before a person is deactivated. */
export function deactivateView(user: UserEntity, { params }: Call) {
  const groups = user.groups.map(({ name }) => name).join(', ')
  return questionView('people', {
    title: `Deactivate ${nameOf(user)}`,
    lines: [
      groups
        ? `They can no longer see or do anything here, and leave their groups: ${groups}.`
        : 'They can no longer see or do anything here.',
      'They are signed out, unless they belong to another organization, too.',
      'What they did stays under their name. Activating them again brings the groups back.',
    ],
    action: addressOf(addresses.deactivatePerson, params),
    verb: 'Deactivate',
    cancel: addressOf(addresses.person, params),
  })
}

/** Returns the view of a new sign-in link, which is shown only once. */
export function linkView(
  { user, link }: { user: UserEntity; link: { url: string; expiresAt: string } },
  { reader, params }: Call
) {
  return {
    title: `Sign-in link for ${nameOf(user)}`,
    place: 'people',
    pollSeconds: null,
    isSecret: true,
    heading: `Sign-in link for ${nameOf(user)}`,
    url: link.url,
    until: `It signs ${nameOf(user)} in once, until ${inSentence(link.expiresAt, reader)}.`,
    back: addressOf(addresses.person, params),
  } satisfies PageView & Record<string, unknown>
}
