import { test } from '@japa/runner'
import { isWrite } from '#foundation/api/operation/declaration'
import { Fixtures } from '#tests/support/fixtures'
import { makeWorld } from '#tests/support/world'
import { tools } from '../tools/catalog.js'
import { operationOf } from '../tools/tool.js'
import { call } from './support.js'

/** Responses that are a file, which is only useful as a whole. */
const FILES = new Set(['exportAppConfiguration'])

/** Required arguments of actions, by the action's name. */
const QUESTIONS: Record<string, object> = { whereIs: { q: 'ACME-1' } }

/** Creates an organization with many entries in most lists. */
async function makeCrowd() {
  const fixtures = new Fixtures(await makeWorld())
  const { admin, organizationId } = fixtures.world
  const app = `/app/${await fixtures.get('appId')}`
  const long =
    'A long text that somebody wrote, with all that they thought of at the time. '.repeat(5)
  const make = async (path: string, body: object) => {
    const { status, text } = await admin.post(path, body)
    if (status >= 300) throw new Error(text)
  }
  for (let index = 0; index < 30; index++) {
    await make(`${app}/release`, { version: `2.${index}.0`, releaseDescription: long })
    await make(`${app}/regressionItem`, { title: `Case ${index}`, description: long })
    await make(`${app}/triageIssue`, { title: `Crash ${index}`, description: long })
    await make(`${app}/bucket`, { name: `Testers ${index}` })
    await make(`/org/${organizationId}/group`, { name: `Team ${index}`, userActions: [] })
    const url = `https://acme.example/hook/${index}`
    await make(`/org/${organizationId}/webhookEndpoint`, { url })
  }
  const fixes = `${app}/release/${await fixtures.get('kickedOffId')}/fixRequest`
  for (let index = 0; index < 20; index++)
    await make(fixes, { title: `Fix ${index}`, reason: long })
  return fixtures
}

test.group('What tools answer', () => {
  test('is below 4 KB for every read, and more is there by pages and fields', async ({
    assert,
  }) => {
    const fixtures = await makeCrowd()
    const { admin } = fixtures.world
    for (const { name, actions } of tools) {
      for (const [action, declared] of Object.entries(actions)) {
        const operation = operationOf(declared)
        if (isWrite(operation) || FILES.has(operation.id)) continue
        const params = await fixtures.params(operation.path)
        const args = { action, ...params, ...QUESTIONS[operation.id] }
        const { isError, content, structuredContent } = await call(admin, name, args)
        const what = `${name} ${action}: ${content[0].text}`
        const isRefused = isError && /"status":(409|422)/.test(content[0].text)
        assert.isTrue(!isError || isRefused, what)
        assert.isBelow(Buffer.byteLength(content[0].text), 4096, what)
        const { data, pagination } = structuredContent?.result ?? {}
        if (!pagination) continue
        const fields = ['id']
        const brief = await call(admin, name, { ...args, fields, limit: 100 })
        assert.isAtLeast(brief.structuredContent.result.data.length, data.length, what)
      }
    }
  }).timeout(120_000)
})
