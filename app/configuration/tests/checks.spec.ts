import { test } from '@japa/runner'
import { checkNewApp } from '#configuration/checks/check_configuration'
import type { CheckContext } from '#configuration/checks/context'
import { MAX_PROBLEMS } from '#configuration/checks/problems'
import { CONTEXT } from './generators/known.js'
import { HEAD, problemsOf, step, tree, valueOf } from './helpers.js'

/** Returns path and code of every problem of a file for a new app. */
function wrong(text: string, context: CheckContext = CONTEXT): string[] {
  return problemsOf(checkNewApp(tree(text), context)).map(({ path, code }) => `${path} ${code}`)
}

const steps = (...all: string[]) => `${HEAD}stepGroups: [{steps: [${all.join(', ')}]}]`

test.group('Configuration checks', () => {
  test('a broken file is refused at the place of the error: {$i}')
    .with([
      // Names, platforms and unknown keys
      { text: '', wrong: [' wrong_type', 'name required', 'platform required'] },
      { text: '[]', wrong: [' wrong_type', 'name required', 'platform required'] },
      { text: 'platform: ios', wrong: ['name required'] },
      { text: 'name:\nplatform: ios', wrong: ['name required'] },
      { text: 'name: [x]\nplatform: ios', wrong: ['name wrong_type'] },
      { text: 'name: true\nplatform: ios', wrong: ['name wrong_type'] },
      { text: 'name: " "\nplatform: ios', wrong: ['name blank'] },
      { text: 'name: "a\\nb"\nplatform: ios', wrong: ['name control_character'] },
      { text: 'name: "a\\0b"\nplatform: ios', wrong: ['name control_character'] },
      { text: 'name: "\\ud800"\nplatform: ios', wrong: ['name control_character'] },
      { text: `name: ${'x'.repeat(101)}\nplatform: ios`, wrong: ['name too_long'] },
      { text: 'name: Acme\nplatform: symbian', wrong: ['platform unknown_value'] },
      { text: `${HEAD}appSetings: {}`, wrong: ['appSetings unknown_key'] },
      { text: `${HEAD}<<: {}`, wrong: ['["<<"] unknown_key'] },
      { text: `${HEAD}appSettings: {x: 1}`, wrong: ['appSettings.x unknown_key'] },
      { text: `${HEAD}buildDistro: {bucket: {}}`, wrong: ['buildDistro.bucket unknown_key'] },
      {
        text: `${HEAD}stepGroups: [{step: []}]`,
        wrong: ['stepGroups[0].steps required', 'stepGroups[0].step unknown_key'],
      },
      // Status checks of fixes need their approval
      {
        text: `${HEAD}appSettings: {enableFixStatusChecks: true}`,
        wrong: ['appSettings.enableFixStatusChecks conflict'],
      },
      {
        text: `${HEAD}appSettings: {enableFixStatusChecks: true, requireFixApprovals: maybe}`,
        wrong: ['appSettings.requireFixApprovals wrong_type'],
      },
      // No release is a hotfix by default
      {
        text: `${HEAD}appSettings: {defaultReleaseType: hotfix}`,
        wrong: ['appSettings.defaultReleaseType not_allowed'],
      },
      {
        text: `${HEAD}appSettings: {defaultReleaseType: huge}`,
        wrong: ['appSettings.defaultReleaseType unknown_value'],
      },
      // Release types of steps
      {
        text: steps(step('rollbackBuild')),
        wrong: ['stepGroups[0].steps[0].releaseTypes.standard not_allowed'],
      },
      {
        text: steps('{name: a, archetype: metadata, releaseTypes: {}}'),
        wrong: ['stepGroups[0].steps[0].releaseTypes required'],
      },
      {
        text: steps('{name: a, archetype: metadata}'),
        wrong: ['stepGroups[0].steps[0].releaseTypes required'],
      },
      {
        text: steps(step('metadata', 'standard: {}')),
        wrong: ['stepGroups[0].steps[0].releaseTypes.standard.required required'],
      },
      {
        text: steps(step('metadata', 'major: {required: true}')),
        wrong: ['stepGroups[0].steps[0].releaseTypes.major unknown_key'],
      },
      // Archetypes, their order, and names of steps
      {
        text: steps(step('takeOff')),
        wrong: ['stepGroups[0].steps[0].archetype unknown_value'],
      },
      {
        text: steps(step('metadata'), step('kickoff')),
        wrong: ['stepGroups[0].steps[1].archetype wrong_order'],
      },
      {
        text: steps(step('kickoff'), step('kickoff', undefined, 'again')),
        wrong: ['stepGroups[0].steps[1].archetype duplicate'],
      },
      {
        text: steps(step('storeReview'), step('submission')),
        wrong: ['stepGroups[0].steps[0].archetype wrong_order'],
      },
      {
        text: steps(step('takeoff'), step('storeReview')),
        wrong: ['stepGroups[0].steps[0].archetype wrong_order'],
      },
      {
        text: steps(step('takeoff'), step('submission')),
        wrong: ['stepGroups[0].steps[0].archetype wrong_order'],
      },
      { text: steps(step('takeoff'), step('submission', 'hotfix: {required: true}')), wrong: [] },
      {
        text: steps(step('metadata', undefined, 'x'), step('screenshots', undefined, 'x')),
        wrong: ['stepGroups[0].steps[1].name duplicate'],
      },
      { text: `${HEAD}stepGroups: [{steps: []}]`, wrong: ['stepGroups[0].steps required'] },
      // References to integrations
      {
        text: `${HEAD}branchSettings: {git: {workingBranch: main}}`,
        wrong: ['branchSettings.git integration_unknown'],
      },
      {
        text: `${HEAD}integrations: {git: {provider: The jira of us}}\nbranchSettings: {git: {}}`,
        wrong: ['branchSettings.git integration_mismatch'],
      },
      {
        text: `${HEAD}featureAffiliations: {t: {integration: j, type: fixVersion, pattern: x}}`,
        wrong: [
          'featureAffiliations.t.integration integration_unknown',
          'featureAffiliations.t.pattern pattern_token_required',
        ],
      },
      // Providers and types
      { text: `${HEAD}integrations: {git: {}}`, wrong: ['integrations.git.provider required'] },
      {
        text: `${HEAD}integrations: {git: {provider: nobody}}`,
        wrong: ['integrations.git.provider provider_unknown'],
      },
      {
        text: `${HEAD}integrations: {git: {type: gitlab-vcs, provider: The github-vcs of us}}`,
        wrong: ['integrations.git.provider provider_mismatch'],
      },
      {
        text: `${HEAD}integrations: {git: {type: git, provider: The github-vcs of us}}`,
        wrong: ['integrations.git.type unknown_value'],
      },
      // Data of integrations
      {
        text: `${HEAD}integrations: {git: {provider: The github-vcs of us, data: {repo: x}}}`,
        wrong: ['integrations.git.data.repo unknown_key'],
      },
      {
        text: `${HEAD}integrations: {j: {type: jira, provider: none, data: {projects: x}}}`,
        wrong: [
          'integrations.j.provider provider_unknown',
          'integrations.j.data.projects wrong_type',
        ],
      },
      // Buckets
      {
        text: `${HEAD}buildDistro: {buckets: {a: {type: rc}, b: {type: rc}}}`,
        wrong: ['buildDistro.buckets.b duplicate'],
      },
      {
        text: `${HEAD}buildDistro: {buckets: {a b: {type: personal}}}`,
        wrong: ['buildDistro.buckets["a b"].type unknown_value'],
      },
      {
        text: `${HEAD}buildDistro: {buckets: {a: {members: {QA: owner, Nobody: admin}}}}`,
        wrong: [
          'buildDistro.buckets.a.members.QA unknown_value',
          'buildDistro.buckets.a.members.Nobody member_unknown',
        ],
      },
      {
        text: `${HEAD}buildDistro: {buckets: {a: {members: {Ann: admin, ann@acme.example: tester}}}}`,
        wrong: ['buildDistro.buckets.a.members["ann@acme.example"] duplicate'],
      },
      {
        text: `${HEAD}buildDistro: {buckets: {a: {x-expireOldBuilds: {enabled: true}}, b: {x-expireOldBuilds: {maxAgeDays: null, maxBuilds: ~}}}}`,
        wrong: [
          'buildDistro.buckets.a.x-expireOldBuilds required',
          'buildDistro.buckets.b.x-expireOldBuilds required',
        ],
      },
      {
        text: `${HEAD}buildDistro: {buckets: {a: {x-expireOldBuilds: {maxAgeDays: 0, maxBuilds: '2', age: 1}}}}`,
        wrong: [
          'buildDistro.buckets.a.x-expireOldBuilds.maxAgeDays out_of_range',
          'buildDistro.buckets.a.x-expireOldBuilds.maxBuilds wrong_type',
          'buildDistro.buckets.a.x-expireOldBuilds.age unknown_key',
        ],
      },
      {
        text: `${HEAD}buildDistro: {buckets: {a: {rules: [{type: Branch, branch: x, baseBranch: y}]}}}`,
        wrong: ['buildDistro.buckets.a.rules[0].baseBranch not_allowed'],
      },
      {
        text: `${HEAD}buildDistro: {buckets: {a: {rules: [{type: PR, workflow: w}]}}}`,
        wrong: ['buildDistro.buckets.a.rules[0].baseBranch required'],
      },
      {
        text: `${HEAD}buildDistro: {buckets: {a: {rules: [{type: branch, branch: x}]}}}`,
        wrong: ['buildDistro.buckets.a.rules[0].type unknown_value'],
      },
      // Patterns
      {
        text: `${HEAD}tagSettings: {t: {pattern: "v{verison}"}}`,
        wrong: ['tagSettings.t.pattern pattern_token_unknown'],
      },
      { text: `${HEAD}tagSettings: {t: {}}`, wrong: ['tagSettings.t.pattern required'] },
      // Users
      {
        text: `${HEAD}appUsers: [ann, "x@"]`,
        wrong: ['appUsers[0] invalid_email', 'appUsers[1] invalid_email'],
      },
      { text: `${HEAD}appUsers: [a@b.example, A@B.example]`, wrong: ['appUsers[1] duplicate'] },
      // The icon
      { text: `${HEAD}icon: file:///etc/passwd`, wrong: ['icon invalid_url'] },
      { text: `${HEAD}icon: https://me:secret@acme.example/i.png`, wrong: ['icon invalid_url'] },
      // Store settings
      {
        text: `${HEAD}appStoreReleaseSettings: {releaseMethod: never}`,
        wrong: ['appStoreReleaseSettings.releaseMethod unknown_value'],
      },
      {
        text: 'name: A\nplatform: flutter-ota\nappStoreReleaseSettings: {phasedReleaseEnabled: true}',
        wrong: ['appStoreReleaseSettings.phasedReleaseEnabled not_allowed'],
      },
      {
        text: 'name: A\nplatform: android\nappStoreReleaseSettings: {inAppUpdatePriority: 6}',
        wrong: ['appStoreReleaseSettings.inAppUpdatePriority out_of_range'],
      },
      {
        text: 'name: A\nplatform: ios\nappStoreReleaseSettings: {inAppUpdatePriority: 0}',
        wrong: ['appStoreReleaseSettings.inAppUpdatePriority not_allowed'],
      },
    ])
    .run(({ assert }, { text, wrong: expected }) => {
      assert.sameMembers(wrong(text), expected)
    })

  test('every problem is listed at once, in the order of the file, with its place', ({
    assert,
  }) => {
    const text = [
      'nmae: Acme',
      'platform: iso',
      'stepGroups:',
      '  - steps:',
      '      - name: A',
      '        archetype: kickof',
      '        releaseTypes:',
      '          standard:',
      '            required: sure',
      '',
    ].join('\n')
    const problems = problemsOf(checkNewApp(tree(text), CONTEXT))
    assert.deepEqual(
      problems.map(({ path, line, column, suggestion }) => [path, line, column, suggestion]),
      [
        ['nmae', 1, 1, 'name'],
        ['name', 1, 1, undefined],
        ['platform', 2, 11, 'ios'],
        ['stepGroups[0].steps[0].archetype', 6, 20, 'kickoff'],
        ['stepGroups[0].steps[0].releaseTypes.standard.required', 9, 23, undefined],
      ]
    )
    assert.equal(problems[3].pointer, '/stepGroups/0/steps/0/archetype')
    assert.include(problems[3].message, 'did you mean "kickoff"?')
  })

  test('without providers an integration says that there are none', ({ assert }) => {
    const text = `${HEAD}integrations:\n  git: {type: github-vcs, provider: github:1, data: {repoName: a/b}}\n`
    const [problem] = problemsOf(checkNewApp(tree(text), { ...CONTEXT, providers: [] }))
    assert.equal(problem.code, 'provider_unknown')
    assert.include(problem.message, 'no connected integration providers yet')
  })

  test('an unknown provider is reported with the existing ones', ({ assert }) => {
    const providers = CONTEXT.providers.slice(0, 2)
    const text = `${HEAD}integrations: {git: {provider: The github-vcs of as}}`
    const [problem] = problemsOf(checkNewApp(tree(text), { ...CONTEXT, providers }))
    for (const { id } of providers) assert.include(problem.message, id)
    assert.equal(problem.suggestion, 'The github-vcs of us')
  })

  test('an alias that two providers share must be qualified', ({ assert }) => {
    const [first, second] = CONTEXT.providers
    const providers = [first, { ...second, alias: first.alias }]
    const text = `${HEAD}integrations: {git: {provider: ${first.alias}}}`
    assert.deepEqual(wrong(text, { ...CONTEXT, providers }), [
      'integrations.git.provider provider_ambiguous',
    ])
  })

  test('a provider of several types needs a type', ({ assert }) => {
    const [first, second] = CONTEXT.providers
    const providers = [{ ...first, types: [...first.types, ...second.types] }]
    const text = (type: string) => `${HEAD}integrations: {git: {${type}provider: "${first.id}"}}`
    assert.deepEqual(wrong(text(''), { ...CONTEXT, providers }), ['integrations.git.type required'])
    assert.deepEqual(wrong(text('type: gitlab-vcs, '), { ...CONTEXT, providers }), [])
  })

  test('a harm budget is checked against the traffic of its own store', ({ assert }) => {
    const analytics = CONTEXT.providers.find(
      ({ types: [{ type }] }) => type === 'generic-analytics'
    )
    const guard = 'metrics: [{name: a, total: b, bad: c}]'
    const ladder = '[{percentage: 10, hours: 24}, {percentage: 100, hours: 0}]'
    const settings = `appStoreReleaseSettings: {rollout: {ladder: ${ladder}, guard: {${guard}}}}`
    const text = [
      'name: Acme',
      'platform: android',
      `integrations: {numbers: {provider: "${analytics!.id}"}}`,
      settings,
      `x-destinations: {Second: {${settings}}}`,
    ].join('\n')
    const days = Array.from({ length: 7 }, () => ({ of: 20, bad: 1 }))
    const few = new Map([[JSON.stringify(['events', 'b', 'c']), days]])
    const budget = 'appStoreReleaseSettings.rollout.guard.harmBudget never_finishes'
    for (const [store, expected] of [
      [null, [budget]],
      ['Second', [`x-destinations.Second.${budget}`]],
      ['Third', []],
    ] as const) {
      assert.deepEqual(wrong(text, { ...CONTEXT, traffic: new Map([[store, few]]) }), [...expected])
    }
  })

  test('a guard can use only the users of Android vitals', ({ assert }) => {
    const [first] = CONTEXT.providers
    const vitals = { ...first.types[0], type: 'google-vitals', kind: 'crashMonitoring' as const }
    const providers = [{ ...first, types: [vitals] }]
    const found = (measure: string) => {
      const metric = `{name: a, source: crashMonitoring, measure: ${measure}}`
      const ladder = '[{percentage: 10, hours: 24}, {percentage: 100, hours: 0}]'
      const text = [
        'name: Acme',
        'platform: android',
        `integrations: {vitals: {provider: "${first.id}"}}`,
        `appStoreReleaseSettings: {rollout: {ladder: ${ladder}, guard: {metrics: [${metric}]}}}`,
      ].join('\n')
      return wrong(text, { ...CONTEXT, providers }).filter((each) => each.includes('measure'))
    }
    assert.deepEqual(found('crashFreeUsers'), [])
    assert.deepEqual(found('crashFreeSessions'), [
      'appStoreReleaseSettings.rollout.guard.metrics[0].measure never_finishes',
    ])
  })

  test("a plugin's own findings are reported at their place in data", ({ assert }) => {
    const [github] = CONTEXT.providers
    const check = () => [{ path: ['repoName'], message: 'Has to be owner/name' }]
    const providers = [{ ...github, types: [{ ...github.types[0], check }] }]
    const text = `${HEAD}integrations: {git: {provider: "${github.id}", data: {repoName: x}}}`
    assert.deepEqual(wrong(text, { ...CONTEXT, providers }), [
      'integrations.git.data.repoName invalid_data',
    ])
  })

  test('a finding points to the value, or to its nearest existing parent', ({ assert }) => {
    const [github] = CONTEXT.providers
    const found = (path: string[], data: string) => {
      const check = () => [{ path, message: 'Is wrong' }]
      const providers = [{ ...github, types: [{ ...github.types[0], check }] }]
      const text = `${HEAD}integrations:\n  git:\n    provider: ${github.id}\n${data}`
      const [problem] = problemsOf(checkNewApp(tree(text), { ...CONTEXT, providers }))
      return [problem.path, problem.line, problem.column]
    }
    const data = '    data:\n      repoName: x\n'
    assert.deepEqual(found(['repoName'], data), ['integrations.git.data.repoName', 7, 17])
    assert.deepEqual(found(['x-other'], data), ['integrations.git.data.x-other', 7, 7])
    assert.deepEqual(found(['repoName'], ''), ['integrations.git.data.repoName', 5, 5])
  })

  test('a name that two users share is ambiguous as a member', ({ assert }) => {
    const users = [...CONTEXT.users, { email: 'ann2@acme.example', name: 'ann' }]
    const text = `${HEAD}buildDistro: {buckets: {a: {members: {Ann: admin}}}}`
    assert.deepEqual(wrong(text, { ...CONTEXT, users }), [
      'buildDistro.buckets.a.members.Ann member_ambiguous',
    ])
  })

  test('a user whom the file invites can be a member in it', ({ assert }) => {
    const bucket = 'buildDistro: {buckets: {a: {members: {New@acme.example: tester}}}}'
    assert.lengthOf(wrong(`${HEAD}${bucket}`), 1)
    assert.deepEqual(wrong(`${HEAD}${bucket}\nappUsers: [new@acme.example]`), [])
  })

  test('numbers are read as text where text is expected', ({ assert }) => {
    const app = valueOf(checkNewApp(tree('name: 1.10\nplatform: ios\nappGroup: 0x1F'), CONTEXT))
    assert.equal(app.name, '1.10')
    assert.equal(app.appGroup, '0x1F')
  })

  test('a flood of problems is cut off and counted', ({ assert }) => {
    const keys = Array.from({ length: MAX_PROBLEMS + 10 }, (_, index) => `key${index}: 1`)
    const problems = problemsOf(checkNewApp(tree(`${HEAD}${keys.join('\n')}`), CONTEXT))
    assert.lengthOf(problems, MAX_PROBLEMS + 1)
    assert.equal(problems.at(-1)?.message, '10 more problems are not listed')
  })
})
