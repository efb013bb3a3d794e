import { test } from '@japa/runner'
import {
  checkChangedApp,
  checkNewApp,
  checkNewDestination,
} from '#configuration/checks/check_configuration'
import { CONTEXT } from './generators/known.js'
import { HEAD, problemsOf, step, tree, valueOf } from './helpers.js'

test.group('Configuration checks | changing and adding', () => {
  const current = valueOf(
    checkNewApp(
      tree(
        `${HEAD}integrations: {git: {provider: The github-vcs of us}}\n` +
          'branchSettings: {git: {workingBranch: main}}\n' +
          'appSettings: {requireFixApprovals: true, enableFixStatusChecks: true}\n'
      ),
      CONTEXT
    )
  )
  const change = (text: string) => checkChangedApp(tree(text), { ...CONTEXT, current })
  const found = (text: string) =>
    problemsOf(change(text)).map(({ path, code }) => `${path} ${code}`)

  test('a file without anything changes nothing', ({ assert }) => {
    assert.deepEqual(valueOf(change('{}')), current)
  })

  test('the name cannot be cleared, and the platform cannot change', ({ assert }) => {
    assert.deepEqual(found('name: null'), ['name required'])
    assert.deepEqual(found('platform: null'), ['platform required'])
    assert.deepEqual(found('platform: android'), ['platform unchangeable'])
    assert.deepEqual(found('platform: ios'), [])
  })

  test('rules apply to the app as it will be', ({ assert }) => {
    assert.deepEqual(found('appSettings: {requireFixApprovals: false}'), [
      'appSettings.requireFixApprovals conflict',
    ])
    assert.deepEqual(
      found('appSettings: {requireFixApprovals: null, enableFixStatusChecks: null}'),
      []
    )
    assert.deepEqual(found('integrations: null'), ['integrations integration_unknown'])
    assert.deepEqual(found('integrations: null\nbranchSettings: null'), [])
    assert.deepEqual(found('branchSettings: {git: {workingBranch: dev}}'), [])
  })

  test('a destination brings store integrations and steps under new names', ({ assert }) => {
    const add = (text: string) => checkNewDestination(tree(text), { ...CONTEXT, current })
    const codes = (text: string) => problemsOf(add(text)).map(({ path, code }) => `${path} ${code}`)
    assert.deepEqual(codes('integrations: {}'), ['name required'])
    assert.deepEqual(codes('name: Second\nappSettings: {}'), ['appSettings unknown_key'])
    assert.deepEqual(codes('name: S\nintegrations: {git: {provider: The apple of us}}'), [
      'integrations.git duplicate',
    ])
    assert.deepEqual(codes('name: S\nintegrations: {j: {provider: The jira of us}}'), [
      'integrations.j integration_mismatch',
    ])
    assert.deepEqual(codes(`name: S\nstepGroups: [{steps: [${step('kickoff')}]}]`), [
      'stepGroups[0].steps[0].archetype duplicate',
    ])
    assert.deepEqual(
      codes(`name: S\nstepGroups: [{steps: [${step('takeoff', undefined, 'Release')}]}]`),
      ['stepGroups[0].steps[0].name duplicate']
    )
    const names = valueOf(add('name: Second')).stepGroups.flatMap((g) => g.steps.map((s) => s.name))
    assert.include(names, 'App submission (Second)')
  })
})
