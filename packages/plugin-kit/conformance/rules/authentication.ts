import assert from 'node:assert/strict'
import { schemeFor } from '../../authentication/authenticators.js'
import { failsWith } from '../expecting.js'
import type { Exchange } from '../../fake/fake_provider.js'
import type { Bench } from '../bench.js'
import { secretTexts } from '../secret_texts.js'
import type { Rule, RuleInput } from './rule.js'

/** Longer than the lifetime of any short-lived token. */
const LONG_MS = 2 * 24 * 3_600_000
const STEP_MS = 5 * 60_000

/** Group A: connections and their authentication. */
export function authenticationRules(input: RuleInput): Rule[] {
  const { credentials, plugin } = input.options
  const check = async (bench: Bench, which: keyof typeof credentials) =>
    (await bench.lifecycle()).check(bench.context(null, { credentials: which }))
  const rules: Rule[] = [
    {
      id: 'A1',
      title: 'good credentials are reported with their account, and lack nothing',
      async run(bench) {
        const { account, missingPermissions } = await check(bench, 'good')
        assert.ok(typeof account === 'string' && account !== '', 'It names no account')
        assert.deepEqual(missingPermissions, [])
      },
    },
    {
      id: 'A2',
      title: 'bad credentials are unauthorized',
      async run(bench) {
        await failsWith(check(bench, 'bad'), 'unauthorized')
      },
    },
  ]
  if (credentials.readOnly) {
    rules.push({
      id: 'A3',
      title: 'credentials that may not change anything lack permissions',
      async run(bench) {
        const { missingPermissions } = await check(bench, 'readOnly')
        assert.notDeepEqual(missingPermissions, [], 'Nothing is said to be missing')
      },
    })
  }
  const scheme = schemeFor(plugin.manifest, credentials.good)
  const hasTokens = ['googleServiceAccount', 'githubApp', 'twoStep', 'oauth2'].includes(
    scheme?.scheme ?? 'none'
  )
  if (hasTokens) rules.push(...tokenRules(input, check))
  if (credentials.other) rules.push(otherRule(input, check))
  return rules
}

type Check = (bench: Bench, which: 'good' | 'other') => Promise<unknown>

function tokenRules({ options }: RuleInput, check: Check): Rule[] {
  const isToken = (exchange: Exchange) => isForToken(exchange, options)
  return [
    {
      id: 'A4',
      title: 'a token is used again, and renewed before its end',
      async run(bench) {
        await check(bench, 'good')
        await check(bench, 'good')
        assert.equal(bench.fake.requests().filter(isToken).length, 1, 'A token is got each time')
        for (let passed = 0; passed < LONG_MS; passed += STEP_MS) {
          bench.pass(STEP_MS)
          await check(bench, 'good')
          const refused = bench.fake.requests().filter(({ response }) => response?.status === 401)
          assert.equal(refused.length, 0, 'A token was used after its end')
          if (bench.fake.requests().filter(isToken).length > 2) return
        }
        assert.ok(bench.fake.requests().filter(isToken).length > 1, 'No token was ever renewed')
      },
    },
    {
      id: 'A5',
      title: 'calls at once get one token',
      async run(bench) {
        await Promise.all([check(bench, 'good'), check(bench, 'good'), check(bench, 'good')])
        assert.equal(bench.fake.requests().filter(isToken).length, 1)
      },
    },
  ]
}

/** Returns whether a request is for a token, by the scheme of the manifest. */
export function isForToken(
  { url, method }: Exchange,
  { plugin, credentials }: RuleInput['options']
) {
  const scheme = schemeFor(plugin.manifest, credentials.good)
  const { host, pathname } = new URL(url)
  if (method !== 'POST') return false
  if (scheme?.scheme === 'twoStep') return pathname === scheme.tokenPath
  if (scheme?.scheme === 'googleServiceAccount') return host === 'oauth2.googleapis.com'
  if (scheme?.scheme === 'githubApp') return pathname.endsWith('/access_tokens')
  return scheme?.scheme === 'oauth2' && url.startsWith(scheme.tokenUrl)
}

function otherRule({ options }: RuleInput, check: Check): Rule {
  return {
    id: 'A6',
    title: 'two connections share nothing that authenticates',
    async run(bench) {
      await check(bench, 'good')
      const before = bench.fake.requests().length
      await check(bench, 'other')
      const ofOther = bench.fake.requests().slice(before)
      const texts = secretTexts(options, 'good').filter(
        (text) => !secretTexts(options, 'other').includes(text)
      )
      const shared = ofOther.filter(({ headers, url, body }) => {
        const sent = `${JSON.stringify(headers)} ${url} ${body}`
        return texts.some((text) => sent.includes(text))
      })
      assert.deepEqual(
        shared.map(({ method, url }) => `${method} ${new URL(url).pathname}`),
        [],
        'The second connection sent the credentials of the first'
      )
      const used = (exchanges: readonly Exchange[]) =>
        exchanges.flatMap(({ headers: { authorization } }) => authorization ?? [])
      const first = new Set(used(bench.fake.requests().slice(0, before)))
      assert.ok(
        !used(ofOther).some((each) => first.has(each)),
        'The second connection sent the token of the first'
      )
    },
  }
}
