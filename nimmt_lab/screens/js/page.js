// Every screen in one bundle: Home, lessons and the web page.
import { carry } from "./carry.js";
import exercise from "./exercise.js";
import replay from "./replay.js";
import solver_panel from "./solver_panel.js";
import table from "./table.js";
import analyse from "./screens/analyse.js";
import odds from "./screens/odds.js";
import author from "./screens/author.js";
import class_start from "./screens/class_start.js";
import course from "./screens/course.js";
import experiment from "./screens/experiment.js";
import sampling from "./screens/sampling.js";
import home from "./screens/home.js";
import judge from "./screens/judge.js";
import explore from "./screens/explore.js";
import my_games from "./screens/my_games.js";
import learn from "./screens/learn.js";
import lesson from "./screens/lesson.js";
import box from "./screens/box.js";
import notebooks from "./screens/notebooks.js";
import play from "./screens/play.js";
import practise from "./screens/practise.js";
import problem from "./screens/problem.js";
import pupil from "./screens/pupil.js";
import setup from "./screens/setup.js";
import record_game from "./screens/record_game.js";
import teach from "./screens/teach.js";

export default carry(
  {
    exercise,
    replay,
    solver_panel,
    table,
    "screens/analyse": analyse,
    "screens/odds": odds,
    "screens/author": author,
    "screens/class_start": class_start,
    "screens/course": course,
    "screens/experiment": experiment,
    "screens/sampling": sampling,
    "screens/home": home,
    "screens/judge": judge,
    "screens/learn": learn,
    "screens/explore": explore,
    "screens/my_games": my_games,
    "screens/lesson": lesson,
    "screens/box": box,
    "screens/notebooks": notebooks,
    "screens/play": play,
    "screens/practise": practise,
    "screens/problem": problem,
    "screens/pupil": pupil,
    "screens/setup": setup,
    "screens/record_game": record_game,
    "screens/teach": teach,
  },
  "nl-page",
);
