import type { GroupEntity } from '#organizations/entities'
import { ACTION_EXPLANATIONS, userActions } from '#organizations/vocabulary'
import { addresses, addressOf } from '../addresses.js'
import { choicesView, fieldView } from '../components/field.view.js'
import { questionView } from '../components/question.view.js'
import { FormState } from '../frame/fields.js'
import type { PageCall, PageView } from '../frame/page.js'
import { seenTag } from '../frame/seen_tag.js'
import { counted } from '../words/numbers.js'
import { changedMeanwhile } from '../release/changed.js'
import { nameOf } from './people.view.js'
import { sectionsOf } from './sections.js'

interface GroupAnswers {
  /** Null for the form that makes a group. */
  group: GroupEntity | null
  /** The entity tag of the group. */
  tag: string | null
}

type Call = Pick<PageCall, 'reader' | 'refused' | 'params'>

/** Returns the view of all groups, with the matrix of what each may do. */
export function groupsView(groups: readonly GroupEntity[], { reader, params }: Call) {
  return {
    title: 'Groups',
    place: 'people',
    pollSeconds: null,
    sections: sectionsOf(params.orgId, 'groups'),
    newHref: reader.may('createGroup') ? addressOf(addresses.newGroup, params) : null,
    rows: groups.map((group) => ({
      name: group.name,
      isDefault: group.isDefault,
      members: membersText(group),
      actions: counted(group.userActions.length, 'action'),
      href: addressOf(addresses.group, { ...params, groupId: group.id }),
    })),
    columns: groups.map(({ name }) => name),
    matrix: userActions.map((action) => ({
      action,
      explanation: ACTION_EXPLANATIONS[action],
      cells: groups.map((group) => ({
        isHeld: group.userActions.includes(action),
        text: `${group.name}: ${group.userActions.includes(action) ? 'yes' : 'no'}`,
      })),
    })),
  } satisfies PageView & Record<string, unknown>
}

const MAX_NAMES = 3

function membersText({ members }: GroupEntity): string {
  if (members.length === 0) return 'Nobody'
  const names = members.slice(0, MAX_NAMES).map(nameOf).join(', ')
  return members.length > MAX_NAMES ? `${names} and ${members.length - MAX_NAMES} more` : names
}

/** Returns the view of a group, or of the form that makes one. */
export function groupView({ group, tag }: GroupAnswers, { reader, refused, params }: Call) {
  const action = addressOf(group ? addresses.group : addresses.groups, params)
  const state = new FormState(refused, action)
  const mayChange = reader.may('updateGroup') && !group?.isDefault
  const held = new Set<string>(group?.userActions)
  return {
    title: group?.name ?? 'Create a group',
    place: 'people',
    pollSeconds: null,
    isSecret: group === null,
    ...changedMeanwhile(refused, reader),
    heading: group?.name ?? 'Create a group',
    isNew: group === null,
    note: noteOf(group, mayChange),
    action,
    tag: seenTag(tag, action, refused),
    back: addressOf(addresses.groups, params),
    form: mayChange
      ? {
          verb: group ? 'Change the group' : 'Create the group',
          name: fieldView(state, { id: 'name', label: 'Name', stored: group?.name }),
          members: fieldView(state, {
            id: 'userEmails',
            label: 'Members (optional)',
            hint: 'E-mail addresses of people of the organization, one per line.',
            stored: group?.members.map(({ email }) => email).join('\n'),
            type: 'area',
          }),
          actions: choicesView(state, {
            id: 'userActions',
            label: 'Members, and keys of the group, may',
            options: userActions.map((each) => ({
              value: each,
              label: ACTION_EXPLANATIONS[each],
              hint: each,
              isOn: held.has(each),
            })),
          }),
        }
      : null,
    members: mayChange ? [] : (group?.members ?? []).map((each) => ({ name: nameOf(each) })),
    actions: mayChange
      ? []
      : (group?.userActions ?? []).map((each) => ({
          action: each,
          explanation: ACTION_EXPLANATIONS[each],
        })),
    deleteHref: group && mayChange ? addressOf(addresses.deleteGroup, params) : null,
  } satisfies PageView & Record<string, unknown>
}

function noteOf(group: GroupEntity | null, mayChange: boolean): string | null {
  if (group?.isDefault) return 'A default group: its actions cannot change.'
  return mayChange ? null : 'People who manage groups may change it.'
}

/** Returns the view of the question before a group is deleted. */
export function deleteGroupView(
  { group, tag }: { group: GroupEntity; tag: string },
  { params, reader, refused }: Call
) {
  const action = addressOf(addresses.deleteGroup, params)
  const question = questionView('people', {
    title: `Delete ${group.name}`,
    lines: [
      `${counted(group.members.length, 'member')} and all keys of the group lose what it allows.`,
      'Items and buckets that name it continue without it. This cannot be undone.',
    ],
    action,
    tag: seenTag(tag, action, refused),
    verb: 'Delete',
    cancel: addressOf(addresses.group, params),
  })
  return { ...question, ...changedMeanwhile(refused, reader) }
}
