import { test } from '@japa/runner'
import { isOfProposal, isTrusted, runOf, type CiRun, type Trusted } from '../ci_run.js'
import { exampleRuleInput } from '../examples.js'

const GITHUB = 'https://token.actions.githubusercontent.com'

const github = {
  repository: 'acme/ios',
  repository_id: '74012345',
  ref: 'refs/heads/main',
  workflow_ref: 'acme/ios/.github/workflows/release.yml@refs/heads/main',
  event_name: 'push',
  run_id: '4113',
  actor: 'ada',
}

const gitlab = {
  project_path: 'acme/apps/ios',
  project_id: '22',
  ref: 'main',
  ref_path: 'refs/heads/main',
  ref_type: 'branch',
  ci_config_ref_uri: 'gitlab.acme.example/acme/apps/ios//.gitlab-ci.yml@refs/heads/main',
  environment: 'stores',
  pipeline_source: 'push',
  pipeline_id: '574',
  user_login: 'ada',
}

const rule: Trusted = exampleRuleInput

test.group('A run of CI', () => {
  test('is read from claims of github.com and of GitHub Enterprise Server', ({ assert }) => {
    assert.deepEqual(runOf('github', GITHUB, github), {
      repository: 'acme/ios',
      repositoryId: '74012345',
      ref: 'refs/heads/main',
      workflow: '.github/workflows/release.yml',
      workflowRef: 'refs/heads/main',
      environment: null,
      event: 'push',
      runId: '4113',
      runUrl: 'https://github.com/acme/ios/actions/runs/4113',
      startedBy: 'ada',
    })
    const ofEnterprise = runOf('github', `${GITHUB}/acme`, github)
    assert.equal(ofEnterprise?.runUrl, 'https://github.com/acme/ios/actions/runs/4113')
    const own = runOf('github', 'https://git.acme.example/_services/token', github)
    assert.equal(own?.runUrl, 'https://git.acme.example/acme/ios/actions/runs/4113')
  })

  test('is read from the claims of GitLab', ({ assert }) => {
    assert.deepEqual(runOf('gitlab', 'https://gitlab.acme.example', gitlab), {
      repository: 'acme/apps/ios',
      repositoryId: '22',
      ref: 'refs/heads/main',
      workflow: '.gitlab-ci.yml',
      workflowRef: 'refs/heads/main',
      environment: 'stores',
      event: 'push',
      runId: '574',
      runUrl: 'https://gitlab.acme.example/acme/apps/ios/-/pipelines/574',
      startedBy: 'ada',
    })
  })

  test('is not read if a claim is missing, or its file is of another repository', ({ assert }) => {
    for (const name of Object.keys(github)) {
      assert.isNull(runOf('github', GITHUB, { ...github, [name]: undefined }), name)
      assert.isNull(runOf('github', GITHUB, { ...github, [name]: ['acme/ios'] }), name)
    }
    for (const workflow of [
      'acme/ios-evil/.github/workflows/release.yml@refs/heads/main',
      'evil/acme/ios/.github/workflows/release.yml@refs/heads/main',
      'acme/ios/.github/workflows/release.yml',
    ]) {
      assert.isNull(runOf('github', GITHUB, { ...github, workflow_ref: workflow }), workflow)
    }
    const elsewhere = 'gitlab.com/acme/apps/ios//.gitlab-ci.yml@refs/heads/main'
    const claims = { ...gitlab, ci_config_ref_uri: elsewhere }
    assert.isNull(runOf('gitlab', 'https://gitlab.acme.example', claims))
  })

  test('is recognized as one of a pull or merge request by its event or ref', ({ assert }) => {
    const run = runOf('github', GITHUB, github)!
    assert.isFalse(isOfProposal(run))
    for (const event of ['pull_request', 'pull_request_target', 'merge_request_event']) {
      assert.isTrue(isOfProposal({ ...run, event }), event)
    }
    for (const ref of ['refs/pull/7/merge', 'refs/merge-requests/7/head']) {
      assert.isTrue(isOfProposal({ ...run, ref }), ref)
    }
  })

  test('is trusted only if everything matches exactly', ({ assert }) => {
    const run = runOf('github', GITHUB, github)!
    const fits = (changed: Partial<CiRun>, of: Partial<Trusted> = {}) =>
      isTrusted({ ...rule, ...of }, { ...run, ...changed })
    assert.isTrue(fits({}))
    const release = 'refs/heads/release/4.2.0'
    assert.isTrue(fits({ ref: release, workflowRef: release }))
    assert.isTrue(fits({ repositoryId: '1' }, { repositoryId: null }))
    for (const changed of [
      { repository: 'Acme/ios' },
      { repository: 'acme/ios2' },
      { repository: 'acme/io' },
      { repository: 'acme/ios/' },
      { repository: 'acme/iоs' },
      { repositoryId: '1' },
      { workflow: '.github/workflows/release.yml.evil.yml' },
      { workflow: '.github/workflows/Release.yml' },
      { ref: 'refs/heads/main2' },
      { ref: 'refs/heads/mai' },
      { ref: 'refs/tags/main' },
      { ref: 'refs/heads/release' },
      { workflowRef: 'refs/heads/other' },
    ]) {
      assert.isFalse(fits(changed), JSON.stringify(changed))
    }
    assert.isFalse(fits({}, { environment: 'stores' }))
    assert.isTrue(fits({ environment: 'stores' }, { environment: 'stores' }))
    assert.isTrue(fits({ environment: 'stores' }))
  })
})
