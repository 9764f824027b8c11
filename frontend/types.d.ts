// The types most files speak of, known everywhere without an import: this file is for the type checker alone.

type Draft = import("./corpus/question.js").Draft;
type ExportContent = import("./export/content.js").ExportContent;
type Branch = import("./generate/branches.js").Branch;
type Atlas = import("./heads/atlas.js").Atlas;
type Figure = import("./requests/api.js").Figure;
type Edge = import("./requests/api.js").Edge;
type Unit = import("./requests/api.js").Unit;
type Filter = import("./requests/api.js").Filter;
type Mode = import("./state/pins.js").Mode;
type Pair = import("./state/pins.js").Pair;
type Member = import("./state/pins.js").Member;
type WrittenToken = import("./state/state.js").WrittenToken;
type Writing = import("./state/state.js").Writing;
type Candidate = import("./state/state.js").Candidate;
type BuildWork = import("./state/state.js").BuildWork;
type Actions = import("./actions/store.js").Actions;
type Store = import("./actions/store.js").Store;
type CorpusAnswer = import("./corpus/question.js").CorpusAnswer;
type CorpusQuestion = import("./corpus/question.js").CorpusQuestion;
type Drawing = import("./drawing/heatmap.js").Drawing;
type MeasureText = import("./drawing/svg_context.js").MeasureText;
type Surface = import("./drawing/svg_context.js").Surface;
type Theme = import("./drawing/theme.js").Theme;
type ShownMap = import("./export/shown_maps.js").ShownMap;
type Order = import("./heads/arrangement.js").Order;
type NotAbove = import("./heads/atlas.js").NotAbove;
type Quantity = import("./heads/measures.js").Quantity;
type HeadRole = import("./heads/roles.js").HeadRole;
type SmallMap = import("./maps/grid_codes.js").SmallMap;
type Painting = import("./maps/grid_painter.js").Painting;
type StackTokens = import("./maps/map_lines.js").StackTokens;
type Visible = import("./maps/maps.js").Visible;
type QueryKey = import("./maps/query_key.js").QueryKey;
type Tick = import("./maps/scales.js").Tick;
type Axis = import("./maps/sheet.js").Axis;
type Sheet = import("./maps/sheet.js").Sheet;
type Source = import("./maps/sheet.js").Source;
type Treatment = import("./maps/sheet.js").Treatment;
type Palette = import("./page/theme_switch.js").Palette;
type Comparison = import("./requests/api.js").Comparison;
type Config = import("./requests/api.js").Config;
type Edges = import("./requests/api.js").Edges;
type MapQuestion = import("./requests/api.js").MapQuestion;
type MetricsCatalogue = import("./requests/api.js").MetricsCatalogue;
type Model = import("./requests/api.js").Model;
type Opportunity = import("./requests/api.js").Opportunity;
type Problem = import("./requests/api.js").Problem;
type Token = import("./requests/api.js").Token;
type BuildStatus = import("./requests/build_api.js").BuildStatus;
type Question = import("./requests/socket.js").Question;
type Frame = import("./requests/wire.js").Frame;
type HeadPlace = import("./state/pins.js").HeadPlace;
type OneHead = import("./state/pins.js").OneHead;
type Overlay = import("./state/pins.js").Overlay;
type Pin = import("./state/pins.js").Pin;
type Place = import("./state/pins.js").Place;
type Simple = import("./state/pins.js").Simple;
type What = import("./state/pins.js").What;
type Analysis = import("./state/state.js").Analysis;
type Cell = import("./state/state.js").Cell;
type Holder = import("./state/state.js").Holder;
type Measures = import("./state/state.js").Measures;
type Known<Answer> = import("./state/state.js").Known<Answer>;
type Stack = import("./state/state.js").Stack;
type State = import("./state/state.js").State;
type Focus = import("./state/view.js").Focus;
type GridSide = import("./state/view.js").GridSide;
type Side = import("./state/view.js").Side;
type SideQuestion = import("./state/view.js").SideQuestion;
type Choice<Value> = import("./state/choice.js").Choice<Value>;
type ViewCodec = import("./state/permalink.js").ViewCodec;
type SideView = import("./state/state.js").SideView;
type View = import("./state/view.js").View;

type ControlTable = typeof import("./state/controls.js").CONTROLS;
type ControlValue<Control> =
  Control extends { options: infer Options } ? keyof Options
  : Control extends { usual: boolean } ? boolean
  : Control extends { usual: number } ? number
  : string;
/** What is chosen of each control. */
type Controls = { [Key in keyof ControlTable]: ControlValue<ControlTable[Key]> };
type BrowserStorage = import("./storage/notes.js").BrowserStorage;
type PageView = import("./views/draw_views.js").PageView;
type Tab = import("./views/tabs.js").Tab;
