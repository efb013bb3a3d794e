import { Command, Option } from 'commander'
import { apps } from './commands/apps.js'
import { ci, requireSettings, variablesText, warnOfUnknown } from './commands/ci.js'
import {
  applyConfig,
  importReleases,
  planConfig,
  pullConfig,
  pullEvidence,
} from './commands/config.js'
import { approve, listItems, tick } from './commands/items.js'
import { login, logout } from './commands/login.js'
import { createRelease, kickOff, submit } from './commands/release.js'
import { changeRollout, redButton, rolloutStatus } from './commands/rollout.js'
import { upload } from './commands/upload.js'
import { POINTS, wait, watch } from './commands/watch.js'
import { why } from './commands/why.js'
import { completionOf } from './completion.js'
import { EXIT, Failure } from './exit_codes.js'
import { openRun } from './keyless.js'
import { openSession, releasePath, type CommonOptions, type Session } from './session.js'
import { VERSION } from './version.js'

const RELEASE = ['<release>', 'its id, <app>:<version>'] as const
const SPAN = /^(\d+)(s|m|h)?$/
const SECONDS = { s: 1, m: 60, h: 3600 } as const
const MAX_SPAN_SECONDS = 168 * 3600

/** Parses a duration as seconds: `90`, `90s`, `30m`, `2h`. @throws Failure for anything else */
function seconds(given: string): number {
  const [, count, unit = 's'] = SPAN.exec(given) ?? []
  const span = Number(count) * SECONDS[unit as 's']
  if (span > 0 && span <= MAX_SPAN_SECONDS) return span
  throw new Failure(EXIT.usage, `"${given}" is not a duration: write 90s, 30m or 2h, up to 168h.`)
}

const collect = (value: string, before: string[]) => [...before, value]

/** Gives a command its action, which runs with a session. */
function withSession(
  command: Command,
  work: (session: Session, args: string[], options: never) => Promise<void>
): Command {
  return command.action(async (...given: unknown[]) => {
    const self = given.at(-1) as Command
    const options = self.optsWithGlobals<CommonOptions>()
    await work(openSession(options), self.processedArgs as string[], options as never)
  })
}

/** Makes the program with all its commands. */
export function makeProgram(): Command {
  const program = new Command('tarmac')
    .description('Release management for mobile apps, in the terminal and in CI')
    .version(VERSION, '--version')
    .option('--url <address>', 'address of the service (TARMAC_URL; else where you signed in last)')
    .option('--org <id>', 'organization (TARMAC_ORG; else that of the sign-in)')
    .option('--json', 'answer in JSON, for scripts')
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: true })

  program
    .command('login')
    .description('sign in: confirm a code in the browser')
    .action((_options, self: Command) => login(self.optsWithGlobals()))
  program
    .command('logout')
    .description('end the sign-in of this machine')
    .action((_options, self: Command) => logout(self.optsWithGlobals()))

  withSession(program.command('apps').description('list apps'), (session) => apps(session))
  withSession(
    program
      .command('why')
      .description('show why a release is not moving, and who can move it')
      .argument(...RELEASE),
    (session, [id]) => why(session, id)
  )
  addReleases(program)
  addItems(program)
  addRollouts(program)
  addFiles(program)
  program
    .command('completion')
    .description('print the completion script for a shell')
    .argument('<shell>', 'bash, zsh or fish')
    .action((shell: string) => void process.stdout.write(`${completionOf(program, shell)}\n`))
  return program
}

function addReleases(program: Command): void {
  const release = program.command('release').description('draft, kick off and submit releases')
  withSession(
    release
      .command('create')
      .description('draft a release')
      .argument('<app>', 'id of the app')
      .argument('<version>', 'such as 4.2.0')
      .addOption(
        new Option('--type <type>', 'kind of release').choices(['release', 'hotfix', 'rollback'])
      )
      .option('--name <name>', 'name of the release')
      .option('--description <text>', 'what it is about')
      .option('--if-missing', 'use the existing release if there is one'),
    async (session, [app, version], options) =>
      void (await createRelease(session, app, version, options))
  )
  withSession(
    release
      .command('kickoff')
      .description('kick off a release')
      .argument(...RELEASE),
    (session, [id]) => kickOff(session, id)
  )
  withSession(
    release
      .command('submit')
      .description('submit a release for review')
      .argument(...RELEASE)
      .option('--incomplete', 'submit even if required steps are open'),
    (session, [id], options) => submit(session, id, options)
  )
  const every = new Option('--every <span>', 'how often to check')
    .argParser(seconds)
    .default(5, '5s')
  withSession(
    program
      .command('watch')
      .description('show a release as it moves; in a pipe, print a line for each change')
      .argument(...RELEASE)
      .addOption(every),
    (session, [id], options) => watch(session, id, options)
  )
  withSession(
    program
      .command('wait')
      .description('wait until a release has passed a point')
      .argument(...RELEASE)
      .addOption(
        new Option('--for <point>', 'point to wait for (required)')
          .choices(POINTS)
          .makeOptionMandatory()
      )
      .addOption(
        new Option('--timeout <span>', 'how long to wait').argParser(seconds).default(1800, '30m')
      )
      .addOption(every),
    (session, [id], options) => wait(session, id, options)
  )
  withSession(
    program
      .command('evidence')
      .description('write the evidence of a release to a file')
      .argument(...RELEASE)
      .requiredOption('-o, --output <file>', 'file to write (required)'),
    (session, [id], options) => pullEvidence(session, releasePath(id), options)
  )
}

function addItems(program: Command): void {
  const items = program
    .command('items')
    .description('list and tick checklist, approval and regression items')
  withSession(
    items
      .command('list')
      .description('list the items of a release')
      .argument(...RELEASE),
    (session, [id]) => listItems(session, id)
  )
  withSession(
    items
      .command('tick')
      .description('mark an item as done')
      .argument(...RELEASE)
      .argument('<item>', 'its id or title')
      .option('--status <status>', 'set another status, such as failed or blocked')
      .option('--comment <text>', 'what was found, or a link to it'),
    (session, [id, item], options) => tick(session, id, item, options)
  )
  withSession(
    program
      .command('approve')
      .description('vote for an approval')
      .argument(...RELEASE)
      .argument('[item]', 'its id or title; without one, the only one that is open')
      .addOption(
        new Option('--step <type>', 'approve a whole step instead').choices([
          'metadata',
          'screenshots',
        ])
      )
      .option('--comment <text>', 'why'),
    (session, [id, item], options) => approve(session, id, item, options)
  )
}

function addRollouts(program: Command): void {
  const rollout = program.command('rollout').description('show and control rollouts in the stores')
  withSession(
    rollout
      .command('status')
      .description('show the rollout in each store')
      .argument(...RELEASE),
    (session, [id]) => rolloutStatus(session, id)
  )
  for (const action of ['pause', 'resume'] as const) {
    withSession(
      rollout
        .command(action)
        .description(`${action} the rollout in every store`)
        .argument(...RELEASE)
        .option('--reason <text>', 'why'),
      (session, [id], options) => changeRollout(session, action, id, options)
    )
  }
  withSession(
    program
      .command('red-button')
      .description(
        'stop every rollout of a release at once, pause its automations and open a triage issue'
      )
      .argument(...RELEASE)
      .option('--reason <text>', 'why')
      .option('--pair', 'also stop the release it goes out with'),
    (session, [id], options) => redButton(session, id, options)
  )
}

function addFiles(program: Command): void {
  withSession(
    program
      .command('upload')
      .description('upload a build; resume an interrupted upload')
      .argument('<file>', 'such as Acme.ipa')
      .requiredOption('--app <app>', 'id of the app (required)')
      .option('--bucket <bucket>', 'id, name or type of the bucket', 'rc')
      .option('--notes <text>', 'notes for testers')
      .option('--tag <tag>', 'a tag; may be repeated', collect, [])
      .option('--attach <file>', 'a further file, such as symbols; may be repeated', collect, [])
      .option('--build <id>', 'id of the CI build; known on GitHub and GitLab')
      .option('--branch <branch>', 'branch of the build')
      .option('--commit <hash>', 'commit of the build')
      .option('--workflow <id>', 'workflow of the build')
      .option('--ci <id>', 'CI service of the build, such as bitrise'),
    async (session, [file], options) => void (await upload(session, file, options))
  )
  const config = program
    .command('config')
    .description('plan, apply and get the configuration file of an app')
  const app = ['--app <app>', 'app to change; without it, a new app is made'] as const
  withSession(
    config
      .command('plan')
      .description('show what a file would change')
      .argument('<file>', 'YAML')
      .option(...app),
    (session, [file], options) => planConfig(session, file, options)
  )
  withSession(
    config
      .command('apply')
      .description('make or change an app to match a file')
      .argument('<file>', 'YAML')
      .option(...app),
    (session, [file], options) => applyConfig(session, file, options)
  )
  withSession(
    config
      .command('pull')
      .description('get the configuration file of an app')
      .argument('<app>', 'id of the app')
      .option('-o, --output <file>', 'file to write; printed without it'),
    (session, [id], options) => pullConfig(session, id, options)
  )
  const imports = program.command('import').description('import from elsewhere')
  withSession(
    imports
      .command('runway')
      .description('make an app from a configuration file of Runway')
      .argument('<file>', 'config.yml')
      .option('--dry-run', 'show what would be made, and make nothing'),
    (session, [file], { dryRun }: { dryRun?: boolean }) =>
      dryRun ? planConfig(session, file, {}) : applyConfig(session, file, {})
  )
  withSession(
    imports
      .command('releases')
      .description('import past releases of an app from a table')
      .argument('<file>', 'CSV')
      .requiredOption('--app <app>', 'id of the app (required)')
      .option('--dry-run', 'show what would be made, and make nothing'),
    (session, [file], options) => importReleases(session, file, options)
  )
  program
    .command('ci')
    .description('do what the variables of a CI job ask for')
    .addHelpText('after', () => `\n${variablesText()}`)
    .action(async (_options, self: Command) => {
      warnOfUnknown(process.env)
      requireSettings(process.env)
      const session = await openRun(self.optsWithGlobals(), process.env.TARMAC_APP)
      await ci(session, process.env, seconds)
    })
}
