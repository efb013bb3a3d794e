import { Api } from '#tests/support/api'
import { makeUser } from '#tests/support/app_fixture'
import { CreateKey } from '#organizations/actions/create_key'
import { makeItemWorld, type ItemWorld } from './items.js'

/** A release with store texts and approvals, and helpers for people who vote. */
export interface ApprovalWorld extends ItemWorld {
  /** Creates a user. @returns the e-mail address */
  person(name: string, groups?: string[]): Promise<string>
  /** Creates another key, by default of the group that may approve. */
  key(name: string, groups?: string[], more?: { admin?: boolean }): Promise<Api>
  /** Sets the status of an item, with the admin key by default. */
  vote(itemId: string, body?: object, by?: Api): Promise<any>
  /** Changes the store texts of the release. */
  changeTexts(whatsNew: string, by?: Api): Promise<any>
  releaseItem(itemId: string): Promise<any>
  /** Returns the timeline, oldest first. */
  timeline(): Promise<any[]>
  /** Turns on role-based access for the organization. */
  roleBased(): Promise<void>
}

export async function makeApprovalWorld(): Promise<ApprovalWorld> {
  const itemWorld = await makeItemWorld({
    kickedOff: true,
    steps: [
      { type: 'kickoff' },
      { type: 'metadata' },
      { type: 'approvals' },
      { type: 'submission' },
    ],
  })
  const { world, admin, app, releaseId } = itemWorld
  const path = `/app/${app}/release/${releaseId}`
  const currentRun = async () => {
    const { body: steps } = await admin.get(`${path}/steps`)
    return steps.find(({ type }: { type: string }) => type === 'metadata').stepRunId
  }
  return {
    ...itemWorld,
    async person(name, groups = []) {
      const email = `${name}@acme.example`
      await makeUser(world, email, groups)
      return email
    },
    async key(name, groups = ['Approvers'], more = {}) {
      const groupIds = await Promise.all(groups.map((group) => itemWorld.groupId(group)))
      const input = { name, groupIds, ...more }
      return new Api((await world.write((scope) => new CreateKey(scope).handle(input))).key)
    },
    vote(itemId, body = {}, by = admin) {
      return by.put(`${path}/checklistItem/${itemId}/status`, { status: 'approved', ...body })
    },
    async changeTexts(whatsNew, by = admin) {
      return by.put(`${path}/stepRun/${await currentRun()}/metadata`, {
        localizations: [{ locale: 'en-US', whatsNew }],
      })
    },
    async releaseItem(itemId) {
      return (await admin.get(`/app/${app}/checklistItem/${itemId}?releaseId=${releaseId}`)).body
    },
    async timeline() {
      return (await admin.get(`${path}/timelineEvents?limit=200`)).body.data.reverse()
    },
    async roleBased() {
      await world.write((scope) =>
        scope.client
          .from('organizations')
          .where('id', world.organizationId)
          .update({ role_based_access_enabled: true })
      )
    },
  }
}

/** Returns the names of the people who approved an item. */
export const approvers = (item: any): string[] =>
  item.approvals.map(({ actor }: { actor: { name: string } }) => actor.name)
