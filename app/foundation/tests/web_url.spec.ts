import { test } from '@japa/runner'
import { webUrlFault } from '../core/web_url.js'
import { didYouMean } from '../core/did_you_mean.js'
import { makeApp } from '#tests/support/app_fixture'
import { makeWorld } from '#tests/support/world'

const GOOD = [
  'https://acme.example',
  'http://localhost:3000/runs/1?x=%20#top',
  'HTTPS://acme.example/ä',
  'https://[::1]/',
]
const BAD = [
  '',
  'acme.example',
  '//acme.example',
  'javascript:alert(1)',
  'ftp://acme.example',
  'https:acme.example',
  'https://',
  'https:///path',
  'https://a b.example',
  'https://acme.example/a b',
  'https://acme.example/\n',
  'https://acme.example/"x"',
  'https://acme.example\\@evil.example',
  'https://acme.example:99999/',
  'https://ada@acme.example',
  'https://ada:secret@acme.example',
  'https://@acme.example',
]

test.group('The address of a page', () => {
  test('is http or https, with a host and without credentials', ({ assert }) => {
    for (const url of GOOD) assert.isNull(webUrlFault(url), url)
    for (const url of BAD) assert.isString(webUrlFault(url), url)
  })

  test('is required by operations that store one, otherwise they answer 422', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const { body } = await world.admin.post(`/app/${app}/release`, { version: '1.0' })
    const put = (url: string) =>
      world.admin.put(`/app/${app}/release/${body.id}/regressionStatus`, { status: 'passed', url })
    for (const url of [...BAD, `https://acme.example/${'x'.repeat(2000)}`]) {
      const { status, body: problem } = await put(url)
      assert.equal(status, 422, url)
      assert.deepEqual(
        problem.errors.map(({ pointer }: any) => pointer),
        ['/url']
      )
    }
    for (const url of GOOD) assert.equal((await put(url)).status, 200, url)
  })
})

test.group('The suggestion for a misspelled word', () => {
  test('is a similar word, and never the word itself', ({ assert }) => {
    const words = [
      'name',
      'platform',
      'ios',
      'kickoff',
      'takeoff',
      'regressionTesting',
      'rc',
      'dev',
    ]
    const cases: [word: string, meant: string | undefined][] = [
      ['nmae', 'name'],
      ['iso', 'ios'],
      ['plattform', 'platform'],
      ['KICKOFF', 'kickoff'],
      ['kickof', 'kickoff'],
      ['regresionTestng', 'regressionTesting'],
      ['name', undefined],
      ['nothing', undefined],
      ['xyz', undefined],
      ['game show', undefined],
      ['deploy', undefined],
      ['', undefined],
      ['x'.repeat(1000), undefined],
    ]
    for (const [word, meant] of cases) assert.equal(didYouMean(word, words), meant, word)
  })
})
