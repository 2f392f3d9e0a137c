// What is said between Somnus and processes of both levels, in sessions that
// tests/program/external_policy_test.py records again. Long lines are broken after a comma.
#pragma once

namespace somnus {

/// Of an order, shortest remaining work first.
inline constexpr const char* order_session =
    R"(  > {"init":{"protocol":1,"seed":6284691452110531,"nodes":2,"slots":2,
    "queues":["default"],"accounts":[],"qos":[],"parameters":{}}}
  < {"protocol":1,"name":"Srpt","version":"","level":"job",
    "events":["submitted","job_ended","ended"],"each_round":false,
    "each_launch":false,"wakes":false,"all_keys":true}
  > {"now":0,"events":[{"event":"submitted","time":0,"unit":0,"job":0,
    "user":0,"queue":0,"nice":0,"arrival":0,"weight":1,"weight_of_user":1,
    "tasks":3,"width":3,"slot_time":7000000000,"work_left":7000000000,
    "stages":1}]}
  < {"keys":[[0,7.0]]}
  > {"now":1000000000,"events":[{"event":"submitted","time":1000000000,
    "unit":1,"job":1,"user":1,"queue":0,"nice":0,"arrival":1000000000,
    "weight":1,"weight_of_user":1,"tasks":3,"width":2,
    "slot_time":3000000000,"work_left":3000000000,"stages":2}]}
  < {"keys":[[1,3.0]]}
  > {"now":2000000000,"events":[{"event":"ended","time":2000000000,"unit":0,
    "outcome":"finished","running":1,"runnable":1,"completed":1,
    "work_left":4666666666.666667}]}
  < {"keys":[[0,4.666666666666667]]}
  > {"now":3000000000,"events":[{"event":"ended","time":3000000000,"unit":1,
    "outcome":"finished","running":0,"runnable":0,"completed":1,
    "work_left":2000000000},{"event":"ended","time":3000000000,"unit":0,
    "outcome":"finished","running":0,"runnable":1,"completed":2,
    "work_left":2333333333.3333335}]}
  < {"keys":[[1,2.0],[0,2.3333333333333335]]}
  > {"now":4000000000,"events":[{"event":"ended","time":4000000000,"unit":1,
    "outcome":"finished","running":1,"runnable":0,"completed":2,
    "work_left":1000000000},{"event":"ended","time":4000000000,"unit":1,
    "outcome":"finished","running":0,"runnable":0,"completed":3,
    "work_left":0},{"event":"job_ended","time":4000000000,"job":1}]}
  < {"keys":[[1,0.0]]}
)";

/// Of a whole policy, first fit; the second stage of the second job is a gang.
inline constexpr const char* policy_session =
    R"(  > {"init":{"protocol":1,"level":"policy","seed":6284691452110531,
    "nodes":[{"slots":1},{"slots":1}],"resources":[],"queues":["default"],
    "accounts":[],"qos":[],"parameters":{}}}
  < {"protocol":1,"level":"policy","name":"FirstFit","version":"",
    "events":["job_arrived","stage_runnable","stage_withdrawn","task_ended",
    "job_ended","node_changed"],"each_round":false}
  > {"now":0,"open":true,"events":[{"event":"job_arrived","time":0,"job":0,
    "user":0,"queue":0,"nice":0,"weight":1,"weight_of_user":1,
    "stages":[{"stage":0,"parents":[],"tasks":3,"slot_time":7000000000,
    "gang":false,"exclusive":false}]},{"event":"stage_runnable","time":0,
    "stage":0,"runnable":3}]}
  < {"place":[[0,0],[0,1]]}
  > {"now":1000000000,"open":false,"events":[{"event":"job_arrived",
    "time":1000000000,"job":1,"user":1,"queue":0,"nice":0,"weight":1,
    "weight_of_user":1,"stages":[{"stage":1,"parents":[],"tasks":1,
    "slot_time":1000000000,"gang":false,"exclusive":false},{"stage":2,
    "parents":[1],"tasks":2,"slot_time":2000000000,"gang":true,
    "exclusive":false}]},{"event":"stage_runnable","time":1000000000,
    "stage":1,"runnable":1}]}
  < {}
  > {"now":2000000000,"open":true,"events":[{"event":"task_ended",
    "time":2000000000,"task":0,"stage":0,"node":0,"attempt":0,
    "outcome":"finished","running":1,"runnable":1,"unfinished":2},
    {"event":"node_changed","time":2000000000,"node":0,"up":true,"ready":true,
    "free_slots":1}]}
  < {"place":[[0,0]]}
  > {"now":3000000000,"open":true,"events":[{"event":"task_ended",
    "time":3000000000,"task":1,"stage":0,"node":1,"attempt":0,
    "outcome":"finished","running":1,"runnable":0,"unfinished":1},
    {"event":"node_changed","time":3000000000,"node":1,"up":true,"ready":true,
    "free_slots":1}]}
  < {"place":[[1,1]]}
  > {"now":4000000000,"open":true,"events":[{"event":"task_ended",
    "time":4000000000,"task":2,"stage":0,"node":0,"attempt":0,
    "outcome":"finished","running":0,"runnable":0,"unfinished":0},
    {"event":"job_ended","time":4000000000,"job":0,"failed":false},
    {"event":"task_ended","time":4000000000,"task":3,"stage":1,"node":1,
    "attempt":0,"outcome":"finished","running":0,"runnable":0,"unfinished":0},
    {"event":"stage_runnable","time":4000000000,"stage":2,"runnable":2},
    {"event":"node_changed","time":4000000000,"node":0,"up":true,"ready":true,
    "free_slots":1},{"event":"node_changed","time":4000000000,"node":1,
    "up":true,"ready":true,"free_slots":1}]}
  < {"place":[[2,[0,1]]]}
)";

}  // namespace somnus
