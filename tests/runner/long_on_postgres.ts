/**
 * Specs that the usual run runs on SQLite alone, and the long run on both databases. Where
 * PostgreSQL is the only database (`TEST_ONLY=postgres`), they run on it.
 */
export const LONG_ON_POSTGRES: readonly string[] = [
  // Rules of every operation: authorization, declarations and broken input.
  'tests/{authorization,canary,conflicts,created,entries,fuzz,null_members,query_words,repetitions,text_limits}.spec.ts',
  'app/{configuration,fixes,rollouts,stores,distribution}/tests/{bad_input,bad_uploads,hostile_files}.spec.ts',
  'tests/declarations.spec.ts',
  // Random walks, and events in any order.
  'app/**/*_walk.spec.ts',
  'app/**/{release_walks,*_in_any_order,edits_and_progress,round_trip_http,late_calls}.spec.ts',
  'app/planning/tests/simulation/*.spec.ts',
  // Processes that are killed or stopped, and commands that are started.
  'app/{planning,releases}/tests/killed_workers.spec.ts',
  'app/{organizations,webhooks}/tests/commands.spec.ts',
  'app/foundation/tests/{first_start,trusted_proxies,uploads}.spec.ts',
  // Tools of agents, which derive from operations.
  'app/agents/tests/*.spec.ts',
  'app/agents/tests/plans/*.spec.ts',
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
   * Specs without a database: bodies and headers of HTTP, files on a disk, plugins and their calls,
   * the words of pages, and errors of input that are found before a row is read.
   */
  'app/{checklists,organizations,releases,webhooks}/tests/all_errors.spec.ts',
  'app/configuration/tests/{checks,checks_of_changes,many_entries}.spec.ts',
  'app/configuration/tests/functional/{all_problems,export_configuration,fix_requests,icon,live_stores,past_versions,plan,rollout,stopped_reading}.spec.ts',
  'app/distribution/tests/{begin_upload,cut_uploads,ends_of_build,expiring_builds,provider_artifacts,resumable_uploads,storage_failures,unfinished_uploads}.spec.ts',
  'app/foundation/tests/{complex_bodies,compression,console_operations,ignored_members,multipart,overload,parser_refusals,plain_input,plain_json,representations,slow_forms,storage_verify,stored_uploads}.spec.ts',
  'app/integrations/tests/{authorize,connection_callbacks,doctor,integration_log,long_logs,plugin_caller,plugins,update_auth,use_integration}.spec.ts',
  'app/pages/{automations,buckets,comparison,configuration,guide,home,keys,new_app,people,policy,providers,reference,release,schedule,sharing,webhooks}/tests/*.spec.ts',
  'app/pages/session/tests/{links,me,oidc,protection,signed_in}.spec.ts',
  'app/pages/tests/{acting,forms,kept_input,links,made_up_input,pages}.spec.ts',
  'tests/{client,command_line,command_line_output,command_line_rollout,command_line_upload,command_line_words,ci_steps,cross_origin,keyless_ci}.spec.ts',
  'tests/{api_client,app_store_connect,app_store_limits,github_rehearsal,google_play_release}.spec.ts',
  /*
   * Rules of the product whose statements and columns other specs cover on PostgreSQL. Specs about
   * locks, transactions, processes and odd values are not listed here: they run on both databases.
   */
  'app/apps/tests/{app_timeline,apps,icon,integrations}.spec.ts',
  'app/builds/tests/{candidate_step,many_runs}.spec.ts',
  'app/checklists/tests/{approvals,approvals_fall,break_glass,get_item,item_entries,item_room,regression_batches,set_comment,update_item}.spec.ts',
  'app/configuration/tests/functional/{add_destination,cadence,commands,step_room,workflow_edits_items}.spec.ts',
  'app/distribution/devices/tests/devices.spec.ts',
  'app/distribution/install_pages/tests/{guessed_addresses,pages}.spec.ts',
  'app/distribution/tests/{availability,continue_upload,discovered_builds,existing_clients,memory_of_files,read_build,rules}.spec.ts',
  'app/features/tests/{ask_pulls,branches_that_move,failed_reads,feature_flags,git_readiness,giving_way,ignore_items,other_repositories,pulls,released_versions}.spec.ts',
  'app/fixes/tests/{answered_issues,approvals_name_commits,branch_renamed,fix_decisions,fix_form,lost_code,merge_goes_on,moved_repository,not_in_build,unknown_tickets}.spec.ts',
  'app/foundation/service/tests/openapi_write.spec.ts',
  'app/foundation/tests/{errors,limits,replays,web_url}.spec.ts',
  'app/insights/tests/{completing,first_release,shares,where_is_cost}.spec.ts',
  'app/integrations/tests/{callbacks,commands,interactions,make_integration}.spec.ts',
  'app/notifications/tests/{release_channels,stores_in_chat,notify_chat}.spec.ts',
  'app/pages/tests/{every_text_of_others,stories,text_of_others}.spec.ts',
  'app/planning/tests/{automated_branches,automations,bad_input,cadence,drafts_follow,edited_cadence,feeds,freezes,merged_versions,published_notes,reminders,store_automations,ticket_marks,waiting_for_train}.spec.ts',
  'app/progress/tests/read_failures.spec.ts',
  'app/releases/tests/{app_part,create_release,custom_metadata,delete_release,derived_type,empty_steps,ends_of_credentials,next_evaluation,open_release_room,release_steps,skip_release,step_data,step_decisions,update_release,update_release_refused,verdicts,why_not_moving}.spec.ts',
  'app/rollouts/tests/{adoption,course,flag_changes,freeze_warnings,get_rollout,hotfix_rollout,ladder_changed,late_source,lost_stops,pressed_again,red_button,refused,resumed,steer_rollout,stop_of_all,stops,stops_before_release,triage_again,triage_sources,who_stopped}.spec.ts',
  'app/stores/tests/{answered_reviews,candidate_ships,developer_reject,ended_releases,give_to_testers,held_back,lagging_lists,live_releases,match_builds,new_credentials,observe_stores,rejections,review_attachments,selected_builds,served_again,stood_still,submit,take_off}.spec.ts',
  'app/version_control/tests/{hotfix_code,kickoff_version_files,version_control}.spec.ts',
  'app/webhooks/tests/{build_events,catalog,deliver,long_logs,promise,service,thin_events}.spec.ts',
  /*
   * Further specs whose tables other specs cover on PostgreSQL: pairs by the specs of their locks,
   * comparisons by those of builds, chats and whole releases by those of the called modules.
   */
  'app/builds/tests/trigger_ci.spec.ts',
  'app/comparison/tests/{change_approvals,edits_meanwhile}.spec.ts',
  'app/configuration/tests/functional/{change_approvals,destinations,integrations}.spec.ts',
  'app/distribution/tests/{builds,many_builds}.spec.ts',
  'app/features/tests/{feature_readiness,moved_tickets,ranges}.spec.ts',
  'app/notifications/tests/retrospective.spec.ts',
  'app/planning/tests/{date_of_pair,release_schedule,schedule_cadence,schedule_outlook}.spec.ts',
  'app/rollouts/tests/{ladder_of_pair,red_button_of_pair,rollout_outlook}.spec.ts',
  'app/stores/tests/pairs/{edits_of_pair,retrospective_of_pair,takeoff_of_both,walks_of_pair}.spec.ts',
  'tests/{real_examples,release_rehearsals,slack_buttons,slack_pair,slack_red_button,slack_release,slack_setup}.spec.ts',
  'tests/{all_errors,github_limits,github_release,github_setup,jira_release}.spec.ts',
]
