import { test } from '@japa/runner'
import { contractOfJira } from './support/contract.js'

/* Shows that the contract is strict: it takes no member that Jira does not have. */

const exchange = (method: string, path: string, body: object | null, answer: object | null) => ({
  ...{ method, url: `https://acme.atlassian.net/rest/api/3${path}`, headers: {} },
  body: body === null ? '' : JSON.stringify(body),
  response: answer && { status: 200, headers: {}, body: JSON.stringify(answer) },
})

test.group('The contract of Jira', () => {
  const faultsOf = async (given: ReturnType<typeof exchange>) => {
    const { pathname } = new URL(given.url)
    const found = (await contractOfJira()).find(
      ({ method, path }) => method === given.method && path.test(pathname)
    )
    return [...found!.checkRequest!(given), ...found!.checkResponse!(given)]
  }

  test('accepts what the plugin sends and the fake answers', async ({ assert }) => {
    const fields = { status: { name: 'To do' }, fixVersions: [{ id: '1', name: '1.2.0' }] }
    const one = exchange('GET', '/issue/APP-1?fields=status', null, {
      id: '1',
      key: 'APP-1',
      fields,
    })
    assert.deepEqual(await faultsOf(one), [])
    const bulk = { issueIdsOrKeys: ['APP-1'], fields: ['status'] }
    assert.deepEqual(await faultsOf(exchange('POST', '/issue/bulkfetch', bulk, { issues: [] })), [])
  })

  test('refuses invented members at any depth', async ({ assert }) => {
    const issue = (fields: object, more: object = {}) =>
      exchange('GET', '/issue/APP-1', null, { id: '1', key: 'APP-1', fields, ...more })
    for (const given of [
      issue({}, { title: 'It crashes' }),
      issue({ status: { name: 'To do', done: true } }),
      issue({ fixVersions: [{ id: '1', isArchived: false }] }),
      exchange('GET', '/search/jql?jql=x&startAt=5', null, { issues: [] }),
      exchange('GET', '/search/jql?jql=x', null, { issues: [], total: 3 }),
      exchange('POST', '/version', { name: '1.2.0', project: 'APP' }, { id: '1' }),
      exchange('PUT', '/issue/APP-1', { labels: ['x'] }, null),
    ]) {
      assert.isNotEmpty(await faultsOf(given), given.url)
    }
  })
})
