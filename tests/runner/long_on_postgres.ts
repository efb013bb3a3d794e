/**
 * Specs that the usual run tries on SQLite alone, and the long one on both databases. Where
 * PostgreSQL is the only database (`TEST_ONLY=postgres`), they run on it.
 */
export const LONG_ON_POSTGRES: readonly string[] = [
  // Rules of every operation: who may, what is declared, what is broken.
  'tests/{authorization,canary,conflicts,created,entries,null_members,query_words,repetitions,text_limits}.spec.ts',
  'app/{configuration,fixes,rollouts,stores,distribution}/tests/{bad_input,bad_uploads,hostile_files}.spec.ts',
  'tests/declarations.spec.ts',
  // Walks at random, and orders of events.
  'app/**/*_walk.spec.ts',
  'app/**/{release_walks,*_in_any_order,edits_and_progress,round_trip_http,late_calls}.spec.ts',
  'app/planning/tests/simulation/*.spec.ts',
  // Processes that are killed or stopped, and commands that are started.
  'app/{planning,releases}/tests/killed_workers.spec.ts',
  'app/{organizations,webhooks}/tests/commands.spec.ts',
  'app/foundation/tests/{first_start,trusted_proxies,uploads}.spec.ts',
  // Tools of agents, which derive from operations.
  'app/agents/tests/*.spec.ts',
  'app/agents/tests/plans/{plans_of_stores,stale_plans,what_plans_tell,ways_round}.spec.ts',
  // Git, and providers that fail.
  'app/fixes/tests/{back_merge,closed_pulls,code_that_moves,fix_code,forced_away}.spec.ts',
  'app/features/tests/{changes,patches,release_notes}.spec.ts',
  'app/insights/tests/{where_is,where_is_builds,where_is_git}.spec.ts',
  'app/releases/tests/{bad_providers,evidence,release_verify}.spec.ts',
  'app/stores/tests/answer_words.spec.ts',
  'app/version_control/tests/{kickoff_branch,version_files,written_versions}.spec.ts',
  // Simulated stores over weeks.
  'app/simulation/tests/*.spec.ts',
  'app/rollouts/tests/{guard_counts,guard_sources,held_growth,operations_asked,operations_table,over_releases,overtaken,several_stores}.spec.ts',
  'app/stores/tests/{replaced,seams}.spec.ts',
  /*
   * Rules of the product: specs that stay on PostgreSQL send the same statements and write the
   * same columns. What depends on locks, transactions, processes and odd values stays there.
   */
  'app/apps/tests/{apps,icon}.spec.ts',
  'app/builds/tests/candidate_step.spec.ts',
  'app/checklists/tests/{approvals,approvals_fall,break_glass,item_room,regression_batches}.spec.ts',
  'app/configuration/tests/functional/{add_destination,cadence,commands,step_room,workflow_edits_items}.spec.ts',
  'app/distribution/install_pages/tests/{guessed_addresses,pages}.spec.ts',
  'app/distribution/tests/{availability,continue_upload,discovered_builds,existing_clients,memory_of_files,read_build,rules}.spec.ts',
  'app/features/tests/{branches_that_move,failed_reads,feature_flags,git_readiness,ignore_items}.spec.ts',
  'app/fixes/tests/{answered_issues,approvals_name_commits,lost_code,moved_repository,not_in_build}.spec.ts',
  'app/foundation/service/tests/openapi_write.spec.ts',
  'app/foundation/tests/{errors,limits,replays,web_url}.spec.ts',
  'app/insights/tests/{completing,first_release}.spec.ts',
  'app/integrations/tests/{callbacks,commands,interactions,make_integration}.spec.ts',
  'app/notifications/tests/tell_chat.spec.ts',
  'app/pages/tests/{stories,text_of_others}.spec.ts',
  'app/planning/tests/{automated_branches,automations,bad_input,cadence,drafts_follow,edited_cadence,freezes,merged_versions,reminders,shared_cadence,store_automations,waiting_for_train}.spec.ts',
  'app/releases/tests/{create_release,custom_metadata,delete_release,release_steps,skip_release,step_data,step_decisions,update_release,update_release_refused,verdicts}.spec.ts',
  'app/rollouts/tests/{freeze_warnings,get_rollout,hotfix_rollout,lost_stops,pressed_again,red_button,refused,resumed,steer_rollout,stop_of_all,stops,stops_before_release,triage_sources}.spec.ts',
  'app/stores/tests/{candidate_ships,developer_reject,ended_releases,lagging_lists,live_releases,match_builds,new_credentials,observe_stores,rejections,served_again,submit,take_off}.spec.ts',
  'app/version_control/tests/{hotfix_code,kickoff_version_files,version_control}.spec.ts',
  'app/webhooks/tests/{build_events,catalog,deliver,long_logs,promise,service,thin_events}.spec.ts',
  'tests/{all_faults,github_limits,github_release,github_setup}.spec.ts',
]
