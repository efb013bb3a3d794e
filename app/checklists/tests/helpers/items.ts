import { makeApp, type FixtureStep } from '#tests/support/app_fixture'
import type { Api } from '#tests/support/api'
import { makeWorld, type World } from '#tests/support/world'

/** An organization with one app and one active release of it, `1.0.0` (major). */
export interface ItemWorld {
  world: World
  admin: Api
  app: string
  releaseId: string
  /** Creates an item of a kind. @returns its entity */
  item(kind: 'checklistItem' | 'approval' | 'regressionItem', input?: object): Promise<any>
  /** Drafts another release. @returns its id */
  release(input: { version: string } & Record<string, unknown>): Promise<string>
  /** Returns the items of a release as [title, status]. */
  titles(releaseId?: string): Promise<[string, string][]>
  setStatus(itemId: string, status: string, more?: object, releaseId?: string): Promise<any>
  groupId(name: string): Promise<string>
  /** Returns the types of the public events so far, in order. */
  eventTypes(): Promise<string[]>
}

export async function makeItemWorld(
  input: { steps?: FixtureStep[]; kickedOff?: boolean } = {}
): Promise<ItemWorld> {
  const world = await makeWorld()
  const app = await makeApp(world, { steps: input.steps })
  const { admin } = world
  const created = await admin.post(`/app/${app}/release`, { version: '1.0.0' })
  const releaseId: string = created.body.id
  if (input.kickedOff) await admin.put(`/app/${app}/release/${releaseId}/kickoff`)

  return {
    world,
    admin,
    app,
    releaseId,
    async item(kind, given = {}) {
      const step = kind === 'checklistItem' ? { stepType: 'submission' } : {}
      const { body, status } = await admin.post(`/app/${app}/${kind}`, {
        title: 'An item',
        ...step,
        ...given,
      })
      if (status !== 201) throw new Error(JSON.stringify(body))
      return body
    },
    async release(given) {
      const { body, status } = await admin.post(`/app/${app}/release`, given)
      if (status !== 201) throw new Error(JSON.stringify(body))
      return body.id
    },
    async titles(id = releaseId) {
      const { body } = await admin.get(`/app/${app}/release/${id}/checklistItems`)
      return body.map((item: any) => [item.title, item.status.type])
    },
    async setStatus(itemId, status, more = {}, id = releaseId) {
      return admin.put(`/app/${app}/release/${id}/checklistItem/${itemId}/status`, {
        status,
        ...more,
      })
    },
    async groupId(name) {
      const { body } = await admin.get(`/org/${world.organizationId}/group`)
      return body.find((group: any) => group.name === name).id
    },
    async eventTypes() {
      return (await world.events()).flatMap(({ type, sequence }) => (sequence ? type : []))
    },
  }
}

/** Kicks off a release and completes it by hand. */
export async function complete({ admin, app }: ItemWorld, releaseId: string): Promise<void> {
  await admin.put(`/app/${app}/release/${releaseId}/kickoff`)
  const { status, body } = await admin.put(`/app/${app}/release/${releaseId}/complete`)
  if (status !== 200) throw new Error(JSON.stringify(body))
}
