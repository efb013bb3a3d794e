import { defineConfig } from '@adonisjs/core/app'

/** Specs of rules that no database knows of: they say the same whatever the database. */
const RULES = [
  'app/agents/tests/{brief_messages,steps}.spec.ts',
  'app/apps/patterns/tests/*.spec.ts',
  'app/apps/tests/{slug,title_of_app}.spec.ts',
  'app/comparison/tests/{approvals_for,compare}.spec.ts',
  'app/configuration/tests/round_trip.spec.ts',
  'app/configuration/yaml/tests/*.spec.ts',
  'app/distribution/tests/{archive_reader,many_rules}.spec.ts',
  'app/distribution/install_pages/tests/{html,install_tokens,offer}.spec.ts',
  'app/distribution/testers/tests/is_newer.spec.ts',
  'app/features/tests/{ask_patches,reach,report_each}.spec.ts',
  'app/foundation/jobs/tests/share_out.spec.ts',
  'app/foundation/tests/{alike,clock,cursors,faults,file_store,inputs,kept_statements,local_copy,part_files,part_size,running_hash,spool,spool_stream,thread_pool,unread_responses}.spec.ts',
  'app/fixes/tests/many_commits.spec.ts',
  'app/integrations/providers/git/tests/*.spec.ts',
  'app/integrations/tests/{fake_hosts,plugin_of_kind}.spec.ts',
  'app/notifications/tests/compose.spec.ts',
  'app/pages/{comparison,home,keys,people,policy,providers,rehearse,release,retrospective,schedule,timeline,where}/tests/*_view.spec.ts',
  'app/pages/session/tests/client_name.spec.ts',
  'app/pages/{charts,frame,words}/tests/*.spec.ts',
  'app/planning/tests/{automation_dates,feed_text,local_time,many_exceptions,schedule,simulation/model}.spec.ts',
  'app/releases/tests/{approved_content,engine_*}.spec.ts',
  'app/rollouts/tests/{forecast,guard_bounds,guard_rules,health_guard,ladder,late_rules,outlook_rules,years}.spec.ts',
  'app/simulation/tests/{app_store_states,audience,conformance,developer_team,export_compliance,facts_of_app_store,facts_of_google_play,google_play_rollouts,guarded_rehearsal,overlapping_trains,play_edits,random_rehearsals,refusals,rehearsal,scenarios,stand_ins,stories,work_core}.spec.ts',
  'app/stores/tests/{derive,pairs/pair_step,reconciler/*}.spec.ts',
  'app/version_control/tests/gather.spec.ts',
  'app/webhooks/tests/{health,schedule,signing}.spec.ts',
  'examples/hostile-store/src/tests/*.spec.ts',
  'packages/**/*.spec.ts',
  'plugins/**/*.spec.ts',
  'tests/{architecture,benchmarks,called_methods,changed,closed_document,comments,container,documents,idle_start,openapi,openapi_names,openapi_words,packages,packed_plugins,page_commands,places,plugin_kit_reference,production_packages,reference,store_plugin_faults,store_plugins,unused}.spec.ts',
]

export default defineConfig({
  // Only our own: migrations run by themselves, and nobody should wipe a database by a typo.
  commands: [() => import('#start/commands')],
  providers: [
    () => import('@adonisjs/core/providers/app_provider'),
    () => import('@adonisjs/core/providers/vinejs_provider'),
    () => import('@adonisjs/lucid/database_provider'),
    () => import('#providers/redis_provider'),
    () => import('@adonisjs/limiter/limiter_provider'),
    () => import('@adonisjs/drive/drive_provider'),
    () => import('#providers/foundation_provider'),
    () => import('#providers/integrations_provider'),
    () => import('#providers/webhooks_provider'),
    () => import('#providers/features_provider'),
    () => import('#providers/pages_provider'),
    () => import('#providers/first_start_provider'),
    () => import('#providers/work_provider'),
  ],
  preloads: [() => import('#start/kernel'), () => import('#start/routes')],
  tests: {
    suites: [
      { name: 'rules', files: RULES, timeout: 120_000 },
      {
        name: 'service',
        files: ['app/**/*.spec.ts', 'tests/**/*.spec.ts', ...RULES.map((each) => `!${each}`)],
        timeout: 120_000,
      },
      // Needs a Chromium: `npm run test:browser`.
      { name: 'browser', files: ['{app,tests}/**/*.browser.ts'], timeout: 120_000 },
    ],
    forceExit: true,
  },
})
