import type { GroupEntity, UserEntity } from '#organizations/entities'
import { addresses } from '../addresses.js'
import { page, type PageCall } from '../frame/page.js'
import type { PeopleAnswers, SignIns } from './answers.js'
import { deleteGroupView, groupsView, groupView } from './groups.view.js'
import {
  deactivateView,
  linkView,
  newPersonView,
  peopleView,
  personView,
  statusIn,
} from './people.view.js'

const groupsOf = async ({ ask, params: { orgId } }: PageCall) =>
  (await ask<GroupEntity[]>('listGroups', { params: { orgId } })).body

/** Reads a group with its entity tag. */
async function groupWithTagOf({ ask, params: { orgId, groupId } }: PageCall) {
  const { body: group, etag: tag } = await ask<GroupEntity>('getGroup', {
    params: { orgId, groupId },
  })
  return { group, tag }
}

const userOf = ({ ask, params: { orgId, userId } }: PageCall) =>
  ask<UserEntity>('getUser', { params: { orgId, userId } })

/** The people of an organization. */
export const peoplePage = page({
  path: addresses.people,
  template: 'people/people',
  async read({ ask, params: { orgId }, query }) {
    const status = statusIn(query)
    const filters = { ...(status && { status }), ...(query.cursor && { cursor: query.cursor }) }
    return (await ask<PeopleAnswers>('listUsers', { params: { orgId }, query: filters })).body
  },
  view: peopleView,
})

/** The form that adds a person. */
export const newPersonPage = page({
  path: addresses.newPerson,
  template: 'people/new_person',
  read: groupsOf,
  view: newPersonView,
})

/** One person. */
export const personPage = page({
  path: addresses.person,
  template: 'people/person',
  async read(call) {
    const { ask, reader, params } = call
    const { orgId, userId } = params
    const { body: user, etag: tag } = await userOf(call)
    const signIns = reader.may('listSignIns')
      ? (await ask<SignIns>('listSignIns', { params: { orgId, userId } })).body
      : null
    return { user, tag, groups: await groupsOf(call), signIns }
  },
  view: personView,
})

/** The confirmation page before a person is deactivated. */
export const deactivatePage = page({
  path: addresses.deactivatePerson,
  template: 'components/question_page',
  read: async (call) => (await userOf(call)).body,
  view: deactivateView,
})

/** A sign-in link that was just made. */
export const linkPage = page({
  path: addresses.signInLink,
  template: 'people/link',
  async read(call) {
    const link = call.answer as { url: string; expiresAt: string }
    return { user: (await userOf(call)).body, link }
  },
  view: linkView,
})

/** The groups of an organization, and what each may do. */
export const groupsPage = page({
  path: addresses.groups,
  template: 'people/groups',
  read: groupsOf,
  view: groupsView,
})

/** The form that makes a group. */
export const newGroupPage = page({
  path: addresses.newGroup,
  template: 'people/group',
  read: async () => ({ group: null, tag: null }),
  view: groupView,
})

/** One group. */
export const groupPage = page({
  path: addresses.group,
  template: 'people/group',
  read: groupWithTagOf,
  view: groupView,
})

/** The confirmation page before a group is deleted. */
export const deleteGroupPage = page({
  path: addresses.deleteGroup,
  template: 'components/question_page',
  read: groupWithTagOf,
  view: deleteGroupView,
})
