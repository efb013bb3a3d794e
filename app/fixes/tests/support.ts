import { CreateKey } from '#organizations/actions/create_key'
import { makeTrain } from '#releases/tests/helpers/release_world'
import { Api } from '#tests/support/api'
import { makeApp, makeUser } from '#tests/support/app_fixture'
import type { World } from '#tests/support/world'

const VERSION = '1.0.0'

/** Makes an app with a release that is kicked off, whose fix requests need approvals by default. */
export async function makeFixes(
  form: object = {},
  options: Parameters<typeof makeTrain>[1] = { settings: { requireFixApprovals: true } }
) {
  const train = await makeTrain([VERSION, '1.1.0'], options)
  const { world, admin, app, path } = train
  await admin.put(`${path(VERSION)}/kickoff`)
  const set = await admin.put(`/app/${app}/fixRequestFormFieldsSettings`, form)
  if (set.status !== 200) throw new Error(set.text)
  const requests = `${path(VERSION)}/fixRequest`
  const decide =
    (verb: string) =>
    (id: string, body: object = {}, by: Api = admin) =>
      by.put(`${requests}/${id}/${verb}`, body)
  return {
    ...train,
    version: VERSION,
    requests,
    request: (body: object = {}, by: Api = admin) =>
      by.post(requests, { title: 'It crashes', ...body }),
    approve: decide('approve'),
    reject: decide('reject'),
    show: async (id: string) => (await admin.get(`${requests}/${id}`)).body,
    /** Makes a user; returns the address. */
    async person(name: string, groups: string[] = []) {
      const email = `${name}@acme.example`
      await makeUser(world, email, groups)
      return email
    },
    /** Makes another admin key, which counts as another approver. */
    async key(name: string) {
      const made = await world.write((scope) => new CreateKey(scope).handle({ name, admin: true }))
      return new Api(made.key)
    },
    /** Returns the webhook events of fix requests, oldest first. */
    reported: async () =>
      (await world.events()).filter(
        ({ type, sequence }) => sequence !== null && type.startsWith('fixRequest.')
      ),
    appTimeline: async () => (await admin.get(`/app/${app}/timelineEvents`)).body.data as any[],
  }
}

/** Returns paths of a kicked-off release and of a fix request in it that needs two approvals. */
export async function makeFixPaths({ admin, ...world }: World) {
  const app = await makeApp({ admin, ...world }, { settings: { requireFixApprovals: true } })
  const form = { requiredApprovals: 2, fourEyes: false }
  await admin.put(`/app/${app}/fixRequestFormFieldsSettings`, form)
  const { body } = await admin.post(`/app/${app}/release`, { version: VERSION })
  const kickedOff = `/app/${app}/release/${body.id}`
  await admin.put(`${kickedOff}/kickoff`)
  const fix = await admin.post(`${kickedOff}/fixRequest`, { title: 'It crashes' })
  const issue = await admin.post(`/app/${app}/triageIssue`, { title: 'It crashes' })
  return {
    kickedOff,
    fix: `${kickedOff}/fixRequest/${fix.body.id}`,
    issue: `/app/${app}/triageIssue/${issue.body.id}`,
  }
}
