def test_x(run):
    a = run("count Oct 6")
    assert a.rows[0]["tilings"] == "7", a
    print(run("count rhombus 2025").err)
