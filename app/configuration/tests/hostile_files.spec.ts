import { test } from '@japa/runner'
import { checkNewApp } from '#configuration/checks/check_configuration'
import type { CheckContext } from '#configuration/checks/context'
import { MAX_PROBLEMS } from '#configuration/checks/problems'
import { Guesses } from '#foundation/core/did_you_mean'
import { hostileFiles, organizationOf } from './generators/hostile.js'
import type { YamlNode } from '#configuration/yaml/tree'
import { counted } from '#tests/support/counted'
import { some } from '#tests/support/effort'
import { HEAD, problemsOf, tree } from './helpers.js'

const SMALL = 4 * 1024
const LARGER = 2 * SMALL
const ORGANIZATION = organizationOf(100)

const valuesOf = (node: YamlNode): number => {
  if (node.kind === 'scalar') return 1
  const within = node.kind === 'list' ? node.items : node.entries.map(({ value }) => value)
  return within.reduce((sum, each) => sum + valuesOf(each), 1)
}

/** Counts how often the checks read from a file or from the data it is checked against. */
function readsOf(root: YamlNode): number {
  const organization = counted(ORGANIZATION)
  const file = counted(root)
  const context: CheckContext = { ...organization.value }
  checkNewApp(file.value, context)
  return organization.reads() + file.reads()
}

const ALONE = readsOf(tree(HEAD))

test.group('Hostile configuration files', () => {
  test('the reads of the checks grow linearly with the file, whatever the errors', ({ assert }) => {
    const larger = new Map(hostileFiles(LARGER).map(({ name, text }) => [name, text]))
    assert.isAbove(larger.size, 150)
    for (const { name, text } of some(hostileFiles(SMALL))) {
      const [before, after] = [text, larger.get(name)!].map((each) => {
        const root = tree(each)
        return (readsOf(root) - ALONE) / valuesOf(root)
      })
      assert.isAtMost(after, 1.2 * before + 5, `reads for each value, ${name}`)
    }
  }).timeout(60_000)

  test('suggestions are searched among a bounded number of words', ({ assert }) => {
    let compared = 0
    const candidates = {
      *[Symbol.iterator]() {
        for (let index = 0; index < 1000; index++) {
          compared += 1
          yield `release${index}`
        }
      },
    }
    const guesses = new Guesses()
    for (let index = 0; index < 10_000; index++) guesses.didYouMean(`rlease${index}`, candidates)
    assert.isAtMost(compared, 30_000)
  })

  test('a misspelt key among many unknown ones is recognized, and all are counted', ({
    assert,
  }) => {
    const keys = Array.from({ length: 3000 }, (_, index) => `k${index}: 1`).join('\n')
    const problems = problemsOf(checkNewApp(tree(`${HEAD}appSetings: {}\n${keys}`), ORGANIZATION))
    assert.equal(problems.find(({ path }) => path === 'appSetings')?.suggestion, 'appSettings')
    assert.lengthOf(problems, MAX_PROBLEMS + 1)
    assert.equal(problems.at(-1)?.message, `${3001 - MAX_PROBLEMS} more problems are not listed`)
  })

  test('a key as long as the file is reported without being repeated', ({ assert }) => {
    const key = 'x'.repeat(20_000)
    const aliases = Array.from({ length: 50 }, () => '*a').join()
    const text = `${HEAD}appSettings: &a {${key}: 1}\nstepGroups: [${aliases}]`
    assert.isBelow(JSON.stringify(problemsOf(checkNewApp(tree(text), ORGANIZATION))).length, 50_000)
  })
})
